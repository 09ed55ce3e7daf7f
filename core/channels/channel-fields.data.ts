// The fields of a channel, as operators fill them in.
import { NO_LIMIT, type Field } from '../contract/field.ts'
import { remarkField } from '../contract/remark.ts'
import { words } from '../errors.ts'

export const channelFields = {
  id: { label: words('Number', '编号'), help: words('Number of the channel', '渠道的编号'), example: 4 },
  name: { label: words('Name', '名称'), help: words('Name of the channel', '渠道名称'), example: 'OpenAI' },
  slug: {
    label: words('Slug', '标识'),
    help: words(
      'Name that files and scripts know the channel by; it stays when the channel is renamed',
      '文件与脚本中使用的渠道标识；渠道改名后保持不变',
    ),
    example: 'openai',
  },
  type: { label: words('Type', '类型'), help: words('Channel type', '渠道类型'), example: 1 },
  key: {
    label: words('Key', '密钥'),
    help: words(
      'Key of the provider, or one per line; blank keeps the current keys',
      '服务商的密钥，可每行一个；留空则保留现有密钥',
    ),
    kind: 'secret',
    example: '',
  },
  key_mode: {
    label: words('Several keys', '多密钥方式'),
    help: words(
      'How several keys, one a line, are used: random and turn keep them in one channel, otherwise each makes one',
      '多个密钥（每行一个）的使用方式：random（随机）和 turn（轮流）均保存在同一渠道，否则每个密钥创建一个渠道',
    ),
    choices: [
      words('One key a channel', '每个渠道一个密钥'),
      words('In one channel, at random', '同一渠道，随机使用'),
      words('In one channel, in turn', '同一渠道，轮流使用'),
    ],
    typed: ['one', 'random', 'turn'],
    group: 'keys',
    order: 10,
    example: '',
  },
  key_on: {
    label: words('Key to switch on', '要启用的密钥'),
    help: words('Fingerprint of a key that is to be switched on again', '要重新启用的密钥的指纹'),
    notIn: { console: 'a row of the list of keys switches it on' },
    example: '',
  },
  new_keys: {
    label: words('New keys', '新密钥'),
    help: words('Keys to add, one a line', '要添加的密钥，每行一个'),
    kind: 'secret',
    example: 'sk-new',
  },
  keys: {
    label: words('Keys', '密钥'),
    help: words('Fingerprints of the keys', '密钥的指纹'),
    example: ['1k9x2a'],
  },
  key_action: {
    label: words('Action', '操作'),
    help: words('The change of the keys', '对这些密钥的操作'),
    choices: [words('Switch on', '启用'), words('Switch off', '禁用'), words('Take out', '移除')],
    example: 'disable',
  },
  status: {
    label: words('Status', '状态'),
    help: words('1 enabled, 2 disabled, 3 disabled by itself', '1 启用，2 禁用，3 自动禁用'),
    example: 1,
  },
  address_by: {
    label: words('Address set by', '地址设置者'),
    help: words(
      'Last to set address, proxy or type: root (also a file, an import, the terminal on the host) or admin, whose channels reach private networks only where ChannelNetworks lists them',
      '最后设置地址、代理或类型的一方：root（也包括文件、导入和主机终端）或 admin（管理员）；管理员设置的渠道只能访问 ChannelNetworks 列出的内网',
    ),
    example: 'root',
  },
  openai_organization: {
    label: words('Organization', '组织'),
    flag: 'organization',
    help: words("OpenAI's organization, sent as a header", 'OpenAI 的组织，作为请求头发送'),
    example: '',
  },
  max_input_tokens: {
    label: words('Longest prompt', '最大输入'),
    help: words('Longest prompt that it takes, in tokens', '可接受的最长提示（token 数）'),
 zero: NO_LIMIT,
    unit: words('tokens', '个 token'),
    group: 'routing',
    order: 10,
    example: 0,
  },
  base_url: {
    label: words('API address', 'API地址'),
    help: words(
      "Address of the provider, without /v1 and without a slash at the end; empty for the type's own",
      '服务商的地址，末尾不要带 /v1 和斜杠；留空则使用该类型的默认地址',
    ),
    example: 'https://api.openai.com',
  },
  other: {
    label: words('Further value', '其他参数'),
    help: words(
      'Values that only this type has (a version, a region), or details as the text of a JSON object',
      '该类型特有的参数（版本、区域等），或以 JSON 对象文本填写',
    ),
    example: '',
  },
  models: {
    label: words('Models', '模型'),
    help: words('Names of models, separated by commas', '模型名称，以逗号分隔'),
    kind: 'list',
    example: 'gpt-4.1,gpt-4.1-mini',
  },
  add_models: {
    label: words('Models to add', '要添加的模型'),
    help: words(
      'Names of models that are added to those of each channel, separated by commas',
      '添加到每个渠道现有模型中的模型名称，以逗号分隔',
    ),
    kind: 'list',
    example: 'gpt-5',
  },
  remove_models: {
    label: words('Models to remove', '要移除的模型'),
    help: words(
      'Names of models that are removed from those of each channel, separated by commas',
      '从每个渠道现有模型中移除的模型名称，以逗号分隔',
    ),
    kind: 'list',
    example: 'gpt-4',
  },
  setting_change: {
    label: words('Extra settings', '渠道额外设置'),
    help: words(
      'Members to replace in the further settings of each channel, as the text of a JSON object; null removes one, the others stay',
      '要在每个渠道的其他设置中替换的成员，以 JSON 对象文本填写；null 表示移除，其余保持不变',
    ),
    kind: 'json',
    example: '{"force_format": true}',
  },
  group: {
    label: words('Groups', '分组'),
    help: words('Groups that it serves, separated by commas', '可使用该渠道的分组，以逗号分隔'),
    kind: 'list',
    example: 'default',
  },
  groups: {
    label: words('Groups', '分组'),
    help: words('Groups, separated by commas; what is empty stays as it is', '分组，以逗号分隔；留空则保持不变'),
    kind: 'list',
    example: 'default,vip',
  },
  model_mapping: {
    label: words('Model mapping', '模型重定向'),
    help: words(
      'From names of models to those of the provider, as the text of a JSON object; prices follow the name that was asked for',
      '从请求的模型名到服务商模型名，以 JSON 对象文本填写；计费按请求的模型名',
    ),
    kind: 'json',
    group: 'mapping',
    order: 10,
    example: '{"gpt-3.5-turbo": "gpt-3.5-turbo-0125"}',
  },
  status_code_mapping: {
    label: words('Status code mapping', '状态码复写'),
    help: words(
      'From status codes of the provider to those that count in their place, such as 400 to 500 for a retry, as the text of a JSON object',
      '从服务商的状态码到代替它的状态码，例如将 400 复写为 500 以便重试，以 JSON 对象文本填写',
    ),
    kind: 'json',
    group: 'advanced',
    order: 30,
    example: '{"400": "500"}',
  },
  param_override: {
    label: words('Parameter override', '参数覆盖'),
    help: words(
      'Written over the fields of every request, as the text of a JSON object; stream cannot be overridden',
      '覆盖每个请求的字段，以 JSON 对象文本填写；不能覆盖 stream',
    ),
    kind: 'json',
    group: 'advanced',
    order: 20,
    example: '{"temperature": 0}',
  },
  setting: {
    label: words('Extra settings', '渠道额外设置'),
    help: words(
      'Further settings of the channel, as the text of a JSON object',
      '渠道的其他设置，以 JSON 对象文本填写',
    ),
    kind: 'json',
    example: '{"force_format": true}',
  },
  auto_ban: {
    label: words('Auto-disable', '是否自动禁用'),
    help: words(
      'Whether it is disabled by itself when its provider refuses the key, where the settings switch this on',
      '服务商拒绝密钥时是否自动禁用，仅在设置中开启自动禁用时有效',
    ),
    kind: 'switch',
    group: 'routing',
    order: 30,
    example: 1,
  },
  test_model: {
    label: words('Default test model', '默认测试模型'),
    help: words('Model of tests; empty to choose one', '测试模型；留空则自动选择'),
    example: '',
  },
  priority: {
    label: words('Priority', '优先级'),
    help: words('Higher ones are tried first', '数值大的优先'),
    group: 'order',
    order: 10,
    example: 0,
  },
  weight: {
    label: words('Weight', '权重'),
    help: words('How often it is chosen among those of its priority', '同一优先级内被选中的占比'),
    group: 'order',
    order: 20,
    example: 0,
  },
  tag: {
    label: words('Tag', '渠道标签'),
    help: words('To handle several channels together', '用于批量操作渠道'),
    group: 'routing',
    order: 20,
    example: null,
  },
  remark: { ...remarkField, kind: 'long_text', group: 'routing', order: 30 },
  new_tag: {
    label: words('New tag', '新标签'),
    help: words('New name of the tag; empty takes it away', '标签的新名称；留空则移除标签'),
    example: '',
  },
  ids: { label: words('Channels', '渠道'), help: words('Numbers of the channels', '渠道的编号'), example: [7, 8] },
} as const satisfies Record<string, Field>
