// The fields of a move of the log.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const moveFields = {
  to: {
    label: words('Move to', '迁移到'),
    help: words(
      'Target: clickhouse://user:password@host:8123/database, sqlite:file or parquet:folder; database brings them back',
      '目标位置：clickhouse://用户:密码@主机:8123/数据库、sqlite:文件 或 parquet:目录；database 表示迁回数据库',
    ),
    example: 'sqlite:logs.db',
    notIn: { console: 'an address with a password is given where Weir is started' },
  },
} as const satisfies Record<string, Field>
