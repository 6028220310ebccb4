-- What worker $1 has done since it started; nothing, if it is not registered.
-- Relies on: the primary key of workers.
update workers
   set pages_count = pages_count + $2, fetches_count = fetches_count + $3, errors_count = errors_count + $4,
       bytes_count = bytes_count + $5
 where id = $1
