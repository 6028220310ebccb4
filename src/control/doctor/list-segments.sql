-- Every segment that rows name.
select name from warc_segments order by name
