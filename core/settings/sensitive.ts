// Settings of the word list that prompts are checked against.
import { flag, longText, setting } from './setting.ts'

const section = 'sensitive'

export const sensitive = {
  CheckSensitiveEnabled: setting({
    value: flag(true),
    label: 'Check for words',
    help: 'Off: the list of words is not looked at',
    section,
    writer: 'admin',
  }),
  CheckSensitiveOnPromptEnabled: setting({
    value: flag(true),
    label: 'Check prompts',
    help: 'A prompt that contains a word of the list is refused before anything is charged',
    section,
    writer: 'admin',
  }),
  StopOnSensitiveEnabled: setting({
    value: flag(true),
    label: 'Stop at a word',
    help: 'Kept for other clients: a prompt with a listed word is always refused',
    section,
    writer: 'admin',
  }),
  SensitiveWords: setting({
    value: longText('weir_test_sensitive'),
    label: 'Words',
    help: 'One per line, found anywhere in the texts of a prompt, in any case',
    section,
    writer: 'admin',
  }),
}
