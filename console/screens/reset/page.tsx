// A forgotten password: one address requests the link, the other one is opened by it.
import { useLocation } from 'react-router'
import { ConfirmReset } from './confirm.tsx'
import { RequestReset } from './request.tsx'

export const Page = () => (useLocation().pathname.startsWith('/user/') ? <ConfirmReset /> : <RequestReset />)
