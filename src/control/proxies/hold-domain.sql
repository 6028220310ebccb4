-- Domain $1 is held against changes. What only refers to it (requests that are granted) is not held up: whoever grants
-- them has its proxies already.
-- Relies on: the primary key of domains.
select id from domains where id = $1 for no key update
