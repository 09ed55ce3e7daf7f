import { definePreviews } from '../parts-page/states.ts'
import { QrCode } from './qr-code.tsx'

export const previews = definePreviews({
  short: () => <QrCode text="https://weir.example.com" label="Address" />,
  long: () => <QrCode text={`otpauth://totp/Weir:ada?secret=${'A'.repeat(32)}&issuer=Weir`} label="Authenticator" />,
  small: () => <QrCode text="code" label="Code" size={96} />,
})
