-- Domains of run $1 that were blocked or unreachable and have rested long enough: they get another chance, at
-- most three by themselves; after that a person resets them.
-- Relies on: the primary keys of crawl_run_domains and domains; once at the start of a crawl.
update domains d
   set status = 'pending',
       status_code = 'cooldown_over',
       automatic_retry_count = d.automatic_retry_count + 1,
       consecutive_error_count = 0,
       block_reason = null,
       block_reason_code = null,
       next_crawl_after = null,
       updated_at = forager_now()
  from crawl_run_domains m
 where m.run_id = $1 and m.domain_id = d.id
   and d.status in ('blocked', 'unreachable')
   and d.next_crawl_after <= forager_now()
   and d.automatic_retry_count < 3
returning d.id
