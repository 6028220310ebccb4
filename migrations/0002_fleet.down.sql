drop table upkeep_jobs;
drop table worker_tallies;
drop table workers;

alter table pages drop column changed_at, drop column missing_since, drop column gone_at;
drop index urls_missing;
drop index urls_refresh;
alter table urls
  drop column refresh_seconds, drop column visits_count, drop column changes_count, drop column miss_count;
update urls set next_crawl_at = null;

drop view domain_priorities;

drop trigger domains_record_moves on domains;
drop function record_domain_move;
drop table domain_events;

create or replace function refuse_illegal_domain_move() returns trigger language plpgsql as $$
begin
  if not exists (select from domain_status_moves
                  where from_status = old.status and to_status = new.status) then
    raise exception 'domain % may not move from % to %', old.domain, old.status, new.status
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

drop table domain_status_moves;
create table domain_status_moves (
  from_status domain_status not null,
  to_status domain_status not null,
  meaning text not null,
  primary key (from_status, to_status)
);
insert into domain_status_moves values
  ('pending', 'active', 'a worker claimed it'),
  ('pending', 'unreachable', 'no connection could be made'),
  ('active', 'exhausted', 'every known URL has been dealt with'),
  ('active', 'blocked', 'the site refuses us'),
  ('active', 'unreachable', 'no connection could be made'),
  ('exhausted', 'pending', 'refresh is due, or new URLs were found'),
  ('exhausted', 'active', 'refresh'),
  ('blocked', 'pending', 'cooldown over, or reset by a person'),
  ('blocked', 'active', 'reset by a person'),
  ('unreachable', 'pending', 'cooldown over, or reset by a person'),
  ('unreachable', 'active', 'reset by a person');

alter table crawl_run_domains drop column pages_allowed;

drop index domains_of_run;
drop index domains_leased_for_run;
drop index domains_lease_ends;
drop index domains_refresh_due;
drop index domains_waking;
drop index domains_in_order_of_arrival;
drop index domains_claimable;
alter table domains reset (fillfactor, autovacuum_vacuum_scale_factor);
alter table domains
  drop column run_id, drop column yielded_at, drop column is_refreshing, drop column consecutive_throttle_count,
  drop column status_code,
  drop column products_found, drop column product_yield_rate,
  drop column scope, drop column include, drop column exclude, drop column max_depth;
create index domains_claimable on domains
  ((status = 'active') desc, priority_score desc, last_crawled_at nulls first, id)
  where status in ('pending', 'active') and is_active;

-- Pages and log rows of the standing order name no run any more; its domains are in no unfinished one.
delete from crawl_runs where id = 0;
update pages set run_id = null where run_id = 0;
update crawl_log set run_id = null where run_id = 0;
drop function forager_now();
