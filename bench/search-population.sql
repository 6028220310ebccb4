-- Products $1 to $2 of 50 shops: names of a brand, two adjectives, a thing and a model; descriptions of about 90
-- words, some of which nearly every product has and most of which few have. The same in every run.
with words as (
  select array['Acme','Norvik','Lumera','Tessa','Brightwell','Kanto','Orbis','Velora','Stonefield','Mirelle','Zephyr',
               'Halden','Corvina','Pinecrest','Aurelia','Fjord','Granite','Willow','Quantum','Solace'] as brands,
         array['red','blue','green','black','white','silver','wireless','portable','compact','heavy','light','classic',
               'modern','vintage','premium','organic','waterproof','foldable','electric','handmade','ergonomic',
               'insulated','magnetic','adjustable'] as adjectives,
         array['cotton','leather','steel','wooden','ceramic','glass','bamboo','titanium','linen','carbon','wool',
               'rubber'] as materials,
         array['shirt','shoes','lamp','chair','table','backpack','kettle','headphones','keyboard','bottle','jacket',
               'watch','camera','blender','bicycle','tent','pillow','mug','knife','speaker','charger','wallet',
               'umbrella','sofa','mirror','drill','helmet','gloves','scarf','printer'] as things,
         array['Clothing','Shoes','Lighting','Furniture','Bags','Kitchen','Audio','Computers','Outdoor','Watches',
               'Photo','Sports','Bedroom','Tools','Accessories'] as categories
), numbers as (
  -- fifty numbers for each product, as if thrown
  select i, abs(hashint8extended(i, 1)) as a, abs(hashint8extended(i, 2)) as b, abs(hashint8extended(i, 3)) as c,
         abs(hashint8extended(i, 4)) as d, abs(hashint8extended(i, 5)) as e
    from generate_series($1::bigint, $2::bigint) as i
)
insert into products (id, domain_id, url, url_hash, name, description, price, currency, availability, rating, review_count,
                      brand, category, category_path, sku, language, content_hash, source, first_seen_at, last_seen_at,
                      updated_at)
overriding system value
select i, d.id, 'https://' || d.domain || '/p/' || i, sha256(int8send(i)),
       brands[1 + a % 20] || ' ' || initcap(adjectives[1 + b % 24]) || ' ' || initcap(materials[1 + c % 12]) || ' '
         || initcap(things[1 + n.d % 30]) || ' ' || chr((65 + e % 26)::int) || (a % 997),
       'This ' || things[1 + n.d % 30] || ' is made of ' || materials[1 + c % 12] || ' for everyday use. '
         || (select string_agg(case when w % 4 = 0 then adjectives[1 + abs(hashint8extended(i * 97 + w, 6)) % 24]
                                    when w % 4 = 1 then things[1 + abs(hashint8extended(i * 89 + w, 7)) % 30]
                                    -- few products have one of these
                                    else 'w' || (sqrt(abs(hashint8extended(i * 83 + w, 8)) % 400000000))::int end,
                               ' ' order by w)
               from generate_series(1, 80) as w) || '. Free delivery.',
       (1 + a % 50000) / 100.0, case when b % 10 = 0 then 'EUR' else 'USD' end,
       (array['in_stock','in_stock','in_stock','limited','out_of_stock'])[1 + c % 5],
       (e % 41) / 10.0 + 1, e % 500, brands[1 + a % 20], categories[1 + n.d % 15],
       array['All', categories[1 + n.d % 15]], 'SKU' || i, 'en', sha256(int8send(i)), 'generic',
       timestamptz '2026-01-01' + i * interval '1 second', timestamptz '2026-01-01' + i * interval '1 second',
       timestamptz '2026-01-01' + i * interval '1 second'
  from numbers n cross join words join domains d on d.domain = 'shop' || (i % 50) || '.bench'
