import { expect, it } from 'vitest';
import { findDrift } from '../../src/control/doctor/schema-drift.ts';

const expected = `-- made by a machine

create table a (
  id bigint
);

create index a_id on a (id);
`;

it('finds nothing where there is nothing, whatever the order and the heading', () => {
  const found = '-- another heading\n\ncreate index a_id on a (id);\n\ncreate table a (\n  id bigint\n);\n';
  expect(findDrift(expected, found)).toEqual({ missing: [], added: [] });
});

it('names what is missing, changed and added', () => {
  const found = 'create table a (\n  id integer\n);\n\ncreate table b (\n  id bigint\n);\n';
  expect(findDrift(expected, found)).toEqual({
    missing: ['create table a', 'create index a_id on a (id);'],
    added: ['create table a', 'create table b'],
  });
});

it('takes the daily partitions of the log for upkeep', () => {
  const found = `${expected}\ncreate table crawl_log_20261115 partition of crawl_log\n  for values from (1) to (2);\n`;
  expect(findDrift(expected, found)).toEqual({ missing: [], added: [] });
});
