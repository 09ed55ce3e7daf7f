// The rules for a LiteLLM config.yaml: one channel for each of its models, with prices.
import type { ImportRules } from '../product.ts'
import { liteLlmModel } from './channel.ts'
import { liteLlmSetting } from './setting.ts'

export const liteLlmImportRules: ImportRules = {
  product: 'litellm',
  tables: [
    { table: 'model_list', kind: 'channel', order: 'id', needs: ['model_name', 'litellm_params'], rule: liteLlmModel },
    { table: 'settings', kind: 'option', order: 'key', needs: ['key', 'value'], rule: liteLlmSetting },
  ],
  derived: {},
  isOwn: (tables) => tables.has('model_list'),
  // The file has no installation id, so its models are identified by their content.
  marks: () => ['config.yaml'],
}
