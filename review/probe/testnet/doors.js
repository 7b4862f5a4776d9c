// Asks one address, scheme, host and port, through every door of a browser. The path of each request names its door. At
// the end the page has text, so it counts as drawn.
const to = document.currentScript.dataset.to;
const host = to.slice(to.indexOf('//') + 2);
const name = host.replace(/:\d+$/, '');
const socket = to.replace(/^http/, 'ws');
const here = path => `${location.origin}/to?${to}/${path}`;

function add(tag, attributes, text) {
	const e = document.createElement(tag);
	Object.assign(e, attributes);
	if (text) e.textContent = text;
	document.head.append(e);
	return e;
}

const doors = {
	fetch: () => fetch(to + '/fetch', {mode: 'no-cors'}),
	post: () => fetch(to + '/post', {mode: 'no-cors', method: 'POST', body: 'x'}),
	keepalive: () => fetch(to + '/keepalive', {mode: 'no-cors', keepalive: true}),
	redirect: () => fetch(here('redirect'), {mode: 'no-cors'}),
	xhr: () => { const x = new XMLHttpRequest(); x.open('GET', to + '/xhr'); x.send(); },
	beacon: () => navigator.sendBeacon(to + '/beacon', 'x'),
	events: () => new EventSource(to + '/events'),
	websocket: () => new WebSocket(socket + '/websocket'),
	image: () => { new Image().src = to + '/image'; },
	srcset: () => add('img', {srcset: to + '/srcset 1x'}),
	iframe: () => add('iframe', {src: to + '/iframe'}),
	frameRedirect: () => add('iframe', {src: here('frame-redirect')}),
	srcdoc: () => add('iframe', {srcdoc: `<script src="${to}/srcdoc"></script><img src="${to}/srcdoc-image">`}),
	object: () => add('object', {data: to + '/object'}),
	embed: () => add('embed', {src: to + '/embed'}),
	video: () => add('video', {src: to + '/video', preload: 'auto'}),
	audio: () => add('audio', {src: to + '/audio', preload: 'auto'}),
	script: () => add('script', {src: to + '/script'}),
	module: () => import(to + '/module'),
	style: () => add('link', {rel: 'stylesheet', href: to + '/style'}),
	imported: () => add('style', {}, `@import url("${to}/imported");`),
	background: () => add('style', {}, `html { background: url("${to}/background") }`),
	font: () => add('style', {}, `@font-face { font-family: F; src: url("${to}/font") } html { font-family: F }`),
	prefetch: () => add('link', {rel: 'prefetch', href: to + '/prefetch'}),
	preload: () => add('link', {rel: 'preload', as: 'fetch', href: to + '/preload'}),
	modulepreload: () => add('link', {rel: 'modulepreload', href: to + '/modulepreload'}),
	preconnect: () => add('link', {rel: 'preconnect', href: to}),
	dns: () => add('link', {rel: 'dns-prefetch', href: to}),
	prerender: () => add('link', {rel: 'prerender', href: to + '/prerender'}),
	icon: () => add('link', {rel: 'icon', href: to + '/icon'}),
	manifest: () => add('link', {rel: 'manifest', href: to + '/manifest'}),
	speculation: () => add('script', {type: 'speculationrules'},
		JSON.stringify({prefetch: [{urls: [to + '/speculation'], eagerness: 'immediate'}]})),
	ping: () => add('a', {href: '#ping', ping: to + '/ping'}).click(),
	form: () => {
		const f = add('form', {action: to + '/form', method: 'post', target: '_blank'});
		f.submit();
	},
	open: () => window.open(to + '/open'),
	worker: () => new Worker(URL.createObjectURL(new Blob([`fetch('${to}/worker', {mode: 'no-cors'})`]))),
	sharedWorker: () => new SharedWorker(URL.createObjectURL(new Blob([`fetch('${to}/shared', {mode: 'no-cors'})`]))),
	serviceWorker: () => navigator.serviceWorker.register(`${location.origin}/sw.js?${to}/service`),
	webtransport: () => new WebTransport(`https://${host}/webtransport`),
	rtc: () => {
		const c = new RTCPeerConnection({iceServers: [
			{urls: `stun:${name}:3478`},
			{urls: `turn:${name}:3478?transport=udp`, username: 'x', credential: 'x'},
			{urls: `turn:${host}?transport=tcp`, username: 'x', credential: 'x'},
		]});
		c.createDataChannel('x');
		c.createOffer().then(o => c.setLocalDescription(o));
	},
	file: () => fetch('file:///etc/hostname'),
	fileFrame: () => add('iframe', {src: 'file:///etc/hostname'}),
	fileScript: () => add('script', {src: 'file:///etc/hostname'}),
	refresh: () => add('meta', {httpEquiv: 'refresh', content: `0; url=${to}/refresh`}),
};

const tried = [], refused = [];
for (const [door, open] of Object.entries(doors)) {
	try {
		Promise.resolve(open()).catch(() => {});
		tried.push(door);
	} catch (e) {
		refused.push(door);
	}
}
setTimeout(() => {
	const p = document.createElement('p');
	p.textContent = `Tried: ${tried.join(' ')}. Refused: ${refused.join(' ')}. `.padEnd(200, 'x ');
	document.body.append(p);
}, 1000);
setTimeout(() => { location.href = to + '/location'; }, 500);
