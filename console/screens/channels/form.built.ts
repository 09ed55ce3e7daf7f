// The fields of the channel panel and their initial values.
import { ChannelForm, ChannelSetting, DEFAULT_CHANNEL_TYPE } from '../../../core/channels/channel.ts'
import { KeyedChannelForm } from '../../../core/channels/contract.ts'
import { fieldsOfForm, type FormFieldControls } from '../../../core/contract/control.ts'

export const channelForm = fieldsOfForm(KeyedChannelForm)
/** The members of `setting`. */
export const channelSettingForm: FormFieldControls = fieldsOfForm(ChannelSetting)
export const initialChannel = ChannelForm.parse({ name: 'new', type: DEFAULT_CHANNEL_TYPE })
