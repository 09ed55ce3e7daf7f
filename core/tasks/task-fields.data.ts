// What an administrator says of a task.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

export const taskFields = {
  id: {
    label: words('Number', '编号'),
    help: words('The number of the task in its list', '任务在列表中的编号'),
    example: 7,
  },
  action: {
    label: words('The action', '操作'),
    help: words(
      'cancel ends an open task and gives back what it cost; refund gives back what a task that is over cost; retry submits again what was submitted',
      'cancel 取消未完成的任务并退还费用；refund 退还已结束任务的费用；retry 按原提交重新提交',
    ),
    example: 'cancel',
  },
} as const satisfies Record<string, Field>
