-- Makes domains $2 part of run $1.
insert into crawl_run_domains (run_id, domain_id)
select $1, id from unnest($2::bigint[]) as id order by id
on conflict do nothing
