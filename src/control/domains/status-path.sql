-- The shortest chain of legal moves from state $1 to state $2, as the states passed through.
-- Relies on: nothing: the table of moves has a dozen rows.
with recursive path (status, steps) as (
  select $1::domain_status, array[]::domain_status[]
  union all
  select m.to_status, p.steps || m.to_status
    from path p join domain_status_moves m on m.from_status = p.status and m.code = 'reset'
   where m.to_status <> all(p.steps) and m.to_status <> $1::domain_status and p.status <> $2::domain_status
)
select array_to_string(steps, ',') as steps
  from path where status = $2::domain_status order by cardinality(steps), steps limit 1
