-- The clock by which URLs are found (that of admitting them, which no schedule goes by), to the microsecond.
-- Relies on: nothing.
select clock_timestamp()::text as time
