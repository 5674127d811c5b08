export { joinCommand, optionChanges, refuseLimit } from '../contest/index.js'
