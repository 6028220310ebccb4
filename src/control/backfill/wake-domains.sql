-- An exhausted domain has nothing left to do: where URLs came in that are due, it is pending again.
-- Relies on: the primary key of domains, urls_frontier and urls_retry.
update domains d
   set status = 'pending', status_code = 'new_urls', next_crawl_after = null, updated_at = forager_now()
 where d.id = any($1::bigint[]) and d.status = 'exhausted'
   and (exists (select from urls u where u.domain_id = d.id and u.state = 'never_crawled' and u.retry_at is null)
        or exists (select from urls u
                    where u.domain_id = d.id and u.state = 'never_crawled' and u.retry_at is not null))
