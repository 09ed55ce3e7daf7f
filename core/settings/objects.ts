// Settings for access to a provider's objects by accounts other than their owner.
import { z } from 'zod'
import { words } from '../errors.ts'
import { flag, json, setting } from './setting.ts'

export const objectSettings = {
  'objects.allowed': setting({
    value: json(z.record(z.string(), z.array(z.string().regex(/^(\*|[a-z_]+:.+)$/))), {}),
    label: words('Open objects'),
    help: words('JSON {group: ["kind:id"]}: what a group may name, got here or not; "file:*": all'),
    card: 'operation.routing',
    order: 141,
    writer: 'root',
  }),
  'objects.one_tenant': setting({
    value: flag(false),
    label: words('One tenant'),
    help: words('All users may use all objects'),
    card: 'operation.routing',
    order: 142,
    writer: 'root',
  }),
}
