-- The result of task $1.
-- Relies on: the unique indexes of crawl_results and products, the primary keys.
select r.id as "resultId", r.task_id as "taskId", t.url, d.domain, b.bot_id as "botId",
       r.lock_token::text as "lockToken", trim_scale(r.price)::text as price, r.currency, r.title,
       r.in_stock as "inStock", r.parsed_data as "parsedData",
       r.has_html and t.segment_id is not null as "hasHtml", r.crawled_at as "crawledAt", r.created_at as "createdAt",
       (select p.id from products p where p.domain_id = t.domain_id and p.url_hash = t.url_hash) as "productId"
  from crawl_results r
  join crawl_tasks t on t.id = r.task_id
  join domains d on d.id = t.domain_id
  left join bots b on b.id = r.bot_id
 where r.task_id = $1
