// The fields of an import.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const importFields = {
  product: {
    label: words('Product'),
    help: words('The product that the rows come from'),
    example: 'new-api',
  },
  marks: {
    label: words('Marks'),
    help: words('Identifiers of the installation: one that was seen before means the same installation'),
    example: ['user 1 aB3d'],
  },
  units: {
    label: words('Units'),
    help: words('Quota units of one unit of the currency, in the source'),
    example: 500_000,
  },
  dry_run: {
    label: words('Dry run'),
    help: words('Runs the whole import and stores nothing'),
    example: true,
  },
  rows: {
    label: words('Rows'),
    help: words('The imported rows, as the rules of the product converted them'),
    kind: 'json',
    example: [],
  },
} as const satisfies Record<string, FieldDeclaration>
