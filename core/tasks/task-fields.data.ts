// Form fields of an administrator's decision about a task.
import type { FieldDeclaration } from '../contract/field.ts'
import { words } from '../errors.ts'

export const taskFields = {
  id: {
    label: words('Number'),
    help: words('The number of the task in its list'),
    example: 7,
  },
  action: {
    label: words('The action'),
    help: words('cancel ends an open task and gives back what it cost; refund gives back what a task that is over cost; retry submits again what was submitted'),
    example: 'cancel',
  },
} as const satisfies Record<string, FieldDeclaration>
