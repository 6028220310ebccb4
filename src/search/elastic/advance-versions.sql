-- Versions go on from the present moment, in microseconds, where that is a second ahead of them: no more than a million
-- changes are written down in a second, so nobody takes a version between the two meanwhile.
-- Relies on: nothing.
select setval('search_versions', n.us)
  from (select (extract(epoch from forager_now()) * 1000000)::bigint as us) as n, search_versions v
 where v.last_value < n.us - 1000000
