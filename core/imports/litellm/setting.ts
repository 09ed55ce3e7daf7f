// A setting of LiteLLM's config: those that have a place here.
import { words } from '../../errors.ts'
import type { OptionArrival } from '../arrival.ts'
import { cellJson, cellText, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

export function liteLlmSetting(row: SourceRow): OptionArrival | LeftRow {
  const id = cellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const [, name = id] = id.split('.')
  const value = cellJson(row, 'value')
  if (name === 'num_retries' && typeof value === 'number')
    return { ...label, notes: [called('RetryTimes')], key: 'RetryTimes', value: String(value) }
  if (name === 'fallbacks' && Array.isArray(value))
    return {
      ...label,
      notes: [called('FallbackModels')],
      key: 'FallbackModels',
      value: JSON.stringify({ default: Object.assign({}, ...value) as unknown }),
    }
  if (name === 'model_group_alias')
    return { ...label, left: words('other names stand in the channels of their models', '别名已写入各模型的渠道') }
  if (name === 'master_key')
    return {
      ...label,
      left: words(
        'the master key opens everything there: make an API key, or an access token, for what used it',
        '主密钥在原系统中拥有全部权限：请为其使用者创建 API 密钥或访问令牌',
      ),
    }
  return { ...label, left: words('there is no such setting here', '此处没有该设置') }
}

const called = (key: string) => words(`it is called ${key} here`, `在此名为 ${key}`)
