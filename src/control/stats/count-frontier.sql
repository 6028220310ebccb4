-- Known URLs that were never read: those that can be read as soon as their domain is at it, and those that failed
-- and wait for their next attempt.
-- Relies on: urls_frontier and urls_retry, of which it reads all there is.
select (select count(*) from urls where state = 'never_crawled' and retry_at is null)
         + (select count(*) from urls where state = 'never_crawled' and retry_at is not null
                                        and retry_at <= forager_now()) as due,
       (select count(*) from urls where state = 'never_crawled' and retry_at is not null
                                    and retry_at > forager_now()) as waiting
