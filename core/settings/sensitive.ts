// Settings of the word list that prompts are checked against.
import { words } from '../errors.ts'
import { flag, longText, setting } from './setting.ts'

export const sensitiveWordSettings = {
  CheckSensitiveEnabled: setting({
    value: flag(true),
    label: words('Check for words'),
    help: words('Off: the list of words is not checked'),
    card: 'operation.sensitive',
    order: 10,
    writer: 'admin',
  }),
  CheckSensitiveOnPromptEnabled: setting({
    value: flag(true),
    label: words('Check prompts'),
    help: words('A prompt that contains a word of the list is refused before anything is charged'),
    card: 'operation.sensitive',
    order: 20,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
  StopOnSensitiveEnabled: setting({
    value: flag(true),
    label: words('Stop at a word'),
    help: words('Kept for other clients: a prompt with a listed word is always refused'),
    card: 'operation.sensitive',
    order: 30,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
  SensitiveWords: setting({
    value: longText('weir_test_sensitive'),
    label: words('Words'),
    help: words('One per line, found anywhere in the texts of a prompt, in any case'),
    card: 'operation.sensitive',
    order: 40,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
}
