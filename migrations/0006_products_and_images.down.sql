drop table image_provenance;
drop table image_urls;
drop table images;
-- The program before this would take them for pages.
delete from urls where is_image;
delete from domains d where d.source = 'image' and not exists (select from urls u where u.domain_id = d.id);
alter table urls drop column is_image;
alter table domains drop column images_mode;
drop table parse_hours;
drop table product_events;
drop index products_missing;
drop index products_rating;
drop index products_price;
drop index products_category;
drop index products_brand;
-- Kept is what bots could say.
update products set availability = case when availability in ('in_stock', 'limited', 'preorder', 'backorder', 'in_store_only') then 'in_stock' else 'out_of_stock' end
 where availability is not null;
update price_points set availability = case when availability in ('in_stock', 'limited', 'preorder', 'backorder', 'in_store_only') then 'in_stock' else 'out_of_stock' end
 where availability is not null;
alter table products
  drop constraint products_availability_check,
  add constraint products_availability_check check (availability in ('in_stock', 'out_of_stock')),
  drop column description,
  drop column price_high,
  drop column list_price,
  drop column rating,
  drop column review_count,
  drop column brand,
  drop column category_path,
  drop column category,
  drop column sku,
  drop column gtin,
  drop column mpn,
  drop column image_urls,
  drop column variants,
  drop column fields,
  drop column language,
  drop column parser_name,
  drop column parser_version,
  drop column verdict,
  drop column problems,
  drop column missing_since;
