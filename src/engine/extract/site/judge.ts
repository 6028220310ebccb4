import type { FieldProblem, FoundFields, Verdict } from '../product-fields.ts';

export function judgeProduct(fields: FoundFields): {
  verdict: Verdict;
  problems: FieldProblem[];
  fields: FoundFields;
} {
  return { verdict: fields.name && fields.price ? 'valid' : 'partial', problems: [], fields };
}
