// The fields of an import.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const importFields = {
  product: {
    label: words('Product'),
    help: words('What the rows come from'),
    example: 'new-api',
  },
  marks: {
    label: words('Marks'),
    help: words('What the installation is known by: any one that was seen before is the same installation'),
    example: ['user 1 aB3d'],
  },
  units: {
    label: words('Units'),
    help: words('Quota units of one unit of the currency, in the source'),
    example: 500_000,
  },
  dry_run: {
    label: words('Dry run'),
    help: words('Does everything and keeps nothing'),
    example: true,
  },
  rows: {
    label: words('Rows'),
    help: words('What comes, as the rules of the product made it'),
    kind: 'json',
    example: [],
  },
} as const satisfies Record<string, FieldDeclaration>
