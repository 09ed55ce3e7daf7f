// Settings for access to a provider's objects by accounts other than their owner.
import { z } from 'zod'
import { words } from '../errors.ts'
import { flag, json, setting } from './setting.ts'

export const objectSettings = {
  'objects.allowed': setting({
    value: json(z.record(z.string(), z.array(z.string().regex(/^(\*|[a-z_]+:.+)$/))), {}),
    label: words('Open objects', '开放对象'),
    help: words(
      'JSON {group: ["kind:id"]}: what a group may name, got here or not; "file:*": all',
      'JSON {分组: ["类型:ID"]}：分组可引用的对象；"file:*"：全部',
    ),
    card: 'operation.routing',
    order: 141,
    writer: 'root',
  }),
  'objects.one_tenant': setting({
    value: flag(false),
    label: words('One tenant', '单一租户'),
    help: words('Everybody may name all objects', '所有人可引用全部对象'),
    card: 'operation.routing',
    order: 142,
    writer: 'root',
  }),
}
