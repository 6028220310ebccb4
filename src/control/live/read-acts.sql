-- What somebody with power did after number $1, in order, at most $3; and of the numbers in $2 what exists by now. Acts
-- that do not concern the crawl (accounts, keys, logins) are told by their number only.
-- Relies on: the primary key of audit_log.
select a.id, a.at, a.actor, left(a.target, 300) as target,
       case when split_part(a.action, '.', 1) in ('domain', 'frontier', 'pages', 'job') then a.action end as action
  from ((select * from audit_log where id = any ($2::bigint[]) order by id)
        union all
        (select * from audit_log where id > $1 order by id limit $3)) as a
 order by a.id
