// Settings of the word list that prompts are checked against.
import { words } from '../errors.ts'
import { flag, longText, setting } from './setting.ts'

export const sensitive = {
  CheckSensitiveEnabled: setting({
    value: flag(true),
    label: words('Check for words', '启用屏蔽词过滤功能'),
    help: words('Off: the list of words is not checked', '关闭时不检查屏蔽词'),
    card: 'operation.sensitive',
    order: 10,
    writer: 'admin',
  }),
  CheckSensitiveOnPromptEnabled: setting({
    value: flag(true),
    label: words('Check prompts', '启用提示检查'),
    help: words(
      'A prompt that contains a word of the list is refused before anything is charged',
      '提示中含有屏蔽词时，在计费前拒绝',
    ),
    card: 'operation.sensitive',
    order: 20,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
  StopOnSensitiveEnabled: setting({
    value: flag(true),
    label: words('Stop at a word', '遇到屏蔽词时停止'),
    help: words(
      'Kept for other clients: a prompt with a listed word is always refused',
      '为兼容其他客户端保留：含有屏蔽词的提示总是被拒绝',
    ),
    card: 'operation.sensitive',
    order: 30,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
  SensitiveWords: setting({
    value: longText('weir_test_sensitive'),
    label: words('Words', '屏蔽词列表'),
    help: words(
      'One per line, found anywhere in the texts of a prompt, in any case',
      '每行一个，在提示文本的任意位置查找，不区分大小写',
    ),
    card: 'operation.sensitive',
    order: 40,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
}
