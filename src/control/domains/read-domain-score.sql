-- The score of domain $1 as it is now, term by term, and the one the claim goes by until it is computed again.
-- Relies on: the primary key of domains.
select p.rank_points as "rankPoints", p.image_points as "imagePoints", p.product_points as "productPoints",
       p.remaining_points as "remainingPoints", p.error_points as "errorPoints",
       p.staleness_points as "stalenessPoints", p.score,
       p.seed_rank as "seedRank", p.image_yield_rate as "imageYield", p.product_yield_rate as "productYield",
       p.avg_images_per_page as "imagesPerPage", p.error_rate as "errorRate",
       greatest(p.pages_discovered - p.pages_crawled, 0) as "pagesRemaining", p.idle_days as "idleDays",
       d.last_crawled_at is not null as "wasVisited",
       d.priority_score as "storedScore", d.priority_computed_at as "storedAt",
       extract(epoch from forager_now() - d.priority_computed_at)::float8 as "storedAgeSeconds"
  from domain_priorities p join domains d on d.id = p.id
 where p.id = $1 and d.id = $1
