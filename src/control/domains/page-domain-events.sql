-- Up to $3 changes of state of domain $1 before the one with id $2 (null: from the newest), the newest first.
-- Relies on: domain_events_domain.
select e.id, e.at, e.from_status::text as "from", e.to_status::text as "to", e.code, coalesce(m.meaning, same.meaning) as meaning, e.reason, e.actor,
       e.run_id as run, e.next_crawl_after as "restsUntil"
  from domain_events e
  left join domain_status_moves m
    on m.from_status = e.from_status and m.to_status = e.to_status and m.code = e.code
  -- A reset of a domain that was pending already is no move: it means what its code means elsewhere.
  left join lateral (select meaning from domain_status_moves o
                      where m.code is null and o.code = e.code and o.to_status = e.to_status
                      order by o.from_status limit 1) same on true
 where e.domain_id = $1 and ($2::bigint is null or e.id < $2)
 order by e.id desc limit $3
