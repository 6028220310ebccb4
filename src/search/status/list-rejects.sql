-- What the search server will not take, the latest 20, and why.
-- Relies on: nothing: there are few.
select kind, key, reason, at from search_rejects order by at desc, kind, key limit 20
