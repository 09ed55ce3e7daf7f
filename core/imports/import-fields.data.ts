// The fields of an import.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const importFields = {
  product: {
    label: words('Product', '产品'),
    help: words('What the rows come from', '数据来自哪个产品'),
    example: 'new-api',
  },
  marks: {
    label: words('Marks', '标记'),
    help: words('What the installation is known by: any one that was seen before is the same installation', '用于识别来源安装的标记：任一标记曾出现过即视为同一安装'),
    example: ['user 1 aB3d'],
  },
  units: {
    label: words('Units', '单位'),
    help: words('Quota units of one unit of the currency, in the source', '来源中一个货币单位对应的额度'),
    example: 500_000,
  },
  dry_run: {
    label: words('Dry run', '试运行'),
    help: words('Does everything and keeps nothing', '全部执行但不保存任何内容'),
    example: true,
  },
  rows: {
    label: words('Rows', '数据行'),
    help: words('What comes, as the rules of the product made it', '按产品规则转换后的数据'),
    kind: 'json',
    example: [],
  },
} as const satisfies Record<string, Field>
