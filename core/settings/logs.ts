// Settings of the usage log.
import { words } from '../errors.ts'
import { flag, setting } from './setting.ts'

export const logSettings = {
  LogConsumeEnabled: setting({
    value: flag(true),
    label: words('Log calls', '记录消费日志'),
    help: words('Off: calls are charged but leave no row in the usage log', '关闭后调用照常计费，但不写入使用日志'),
    card: 'operation.logs',
    order: 10,
    danger: words(
      'Off: nobody sees what calls cost, and the dashboard stays empty.',
      '关闭后无法查看调用费用，看板也没有数据',
    ),
    dangerAt: false,
    writer: 'proven_admin',
  }),
}
