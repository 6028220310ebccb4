-- Domains by state, with what they brought on average.
-- Relies on: nothing: it reads the table of domains through.
select status, count(*) as domains, count(*) filter (where source like 'backfill%') as "fromBackfills",
       sum(pages_crawled)::float8 as pages, avg(pages_crawled)::float8 as "pagesAverage",
       avg(image_yield_rate) as "imageYieldAverage", avg(avg_images_per_page) as "imagesPerPageAverage"
  from domains
 group by status
 order by status
