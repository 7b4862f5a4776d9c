package health

import (
	"cmp"
	"strconv"
	"strings"
	"sync"
)

// class is a set of meanings that a word can have. Words are in Spanish, Catalan, Galician, Basque and English.
type class uint64

const (
	month class = 1 << iota
	monthShort
	weekday
	connector // between the parts of a date, or two dates
	update    // a date after it says when a page was written
	deadline  // a date after it is a term
	schedule  // hours of opening
	counted   // of counters: visits, results
	watched   // before a counter: "visto 12 veces"
	times
	shown // "mostrando 1 a 10 de 234"
	size  // of files
	unit
	unitMiddle // between a number and its unit: "días", "hábiles"
	money
	numeral
	reference // a number after it names something
	phone
	session // a code after it
	ago
	button
	label // of notices
	substance
	strongSubstance
	procedure // papers and payments of a person
	cookie
	maintenance
	site
	outage
	apology
	survey
	opinion
	useful
	pageWord
	app
	download
	subscribe
	newsletter
	social
	follow
	fraud
	browser
	script
	assistant
	renewed
	welcome
	weather
	demand
	delay
	closed
	works
	translated
	machine
	wishes
	language
	thirdParty
	consent
	special
	mistake
	telling
	incident
)

// lexicon lists words by class, without accents; a word that ends in "*" stands for all that begin so.
var lexicon = map[class]string{
	weekday: "lunes martes miercoles jueves viernes sabado sabados domingo domingos dilluns dimarts dimecres dijous" +
		" divendres dissabte dissabtes diumenge diumenges luns mercores xoves venres astelehen* astearte*" +
		" asteazken*" +
		" ostegun* ostiral* larunbat* igande* monday* tuesday* wednesday* thursday* friday* saturday* sunday*",
	connector: "de del d el la al a e i y as o os ao the of to and th st nd rd er eko ko aren ren tik etik ra" +
		" era an" +
		" ean n garren urteko urtearen hasta fins ata until through ambos inclusive",
	update: "actualiz* actualitz* eguneratu* eguneratz* eguneraket* updat* publicad* publicac* publicat* publicou" +
		" publicao argitara* publish* posted modific* revisad* revisat* reviewed semana setmana astea agenda" +
		" noticia*" +
		" noticies albist* creado creada elaborad* generad* impreso firmad* consultad* accessed",
	deadline: "plazo* hasta fins ata desde until till solicit* sollicit* inscri* presenta* matricul* matrikul*" +
		" convocator* venc* vigen* vigor vixen* vixor finaliza* termina* acaba* cierra* cierre apertura abre" +
		" abrira*" +
		" abier* obert* obr* aberto* periodo* period termini* prazo* epe epea epean epeak epemuga* deadline* apply" +
		" application* closes close closing opens open due examen* exam* prueba* ejercicio* pago* pagament*" +
		" devenga*" +
		" cobra* limit* antes abans before by caduca* expir* entrega* alegac* allegac* eskaera* eskabide* izena" +
		" izenemate* peche amplia* prorrog* partir subsanac* entrada voluntari*",
	schedule: "horario* horari* ordutegi* hours opening abre atencion",
	counted: "aforo ocupacion estrella* puntuacion segundos segons seconds valoracio* balorazio* rating" +
		" usuarios usuaris visitas visites visita visitante* bisita* visit visits visto vistas vista" +
		" visualiz* views viewed view" +
		" lecturas lectura leido llegit descarga descargas descarregues deskarga* downloads downloaded descargado" +
		" comentario* comentari* iruzkin* comment comments resultado resultados resultats resultat emaitza* results" +
		" votos vots votes valoracions valoraciones ratings likes compartid* shares shared seguidores followers" +
		" conectad* connectats online accesos accessos sarbide* registros registres elementos elements items" +
		" entradas" +
		" quedan queden restan libres lliures huecos citas cites impresiones consultas lido lidas reproducc*",
	watched: "visto vistas visitad* leido leida llegit descargado descarregat compartid* compartit consultad*" +
		" lido vist" +
		" ikusi* viewed downloaded",
	times: "veces vegades aldiz times cops",
	shown: "mostrando mostrant amosando erakusten showing pagina pagines paginas orria orrialdea page pag",
	size:  "kb mb gb kib mib bytes byte kbytes",
	unit: "dia dias dies egun eguneko eguna egunetan days day mes meses mesos mesi hilabete* month months" +
		" ano anos any anys urte urtez urteko year years semana semanas setmana setmanes aste week weeks hora horas" +
		" hores ordu orduko hour hours minuto minutos minuts minutu minute minutes trimestre* quincena* plaza" +
		" plazas" +
		" places praza prazas plaza plazak persona personas persones pertsona* people copias copies ejemplar*" +
		" hijo hijos fills fillos menores veces vegades puntos punts puntu* points cuota* cuotas plazos metros" +
		" kilometros hectareas socios miembros por per ehuneko",
	unitMiddle: "habiles naturales lectivos naturals habils laborables working calendar business full consecutivos",
	money:      "euro euros eur centimos cents euroko € $ £ %",
	reference: "articulo articulos article art artikulua ley llei lei lege decreto decret orden ordre orde real" +
		" resolucion num numero no n nr zk number pagina paginas pag modelo model form formulario formulari" +
		" impreso codigo codi kodea code cp anexo annex eranskina apartado apartat atal capitulo calle carrer rua" +
		" kalea c avenida avda avinguda plaza paseo camino carretera piso planta portal km local puerta sia" +
		" expediente exp version v boe bop bor dogc dog bopv bocm bouc nif cif dni registro epigrafe ap disposicion" +
		" ordenanza ordenanca page paso fase titulo punto linea bus autobus camino",
	phone: "telefono telefon telefonoa tel tlf tfno fax movil phone whatsapp",
	session: "verificacion ip sesion session sessio jsessionid phpsessid csrf token csv sid nonce trace" +
		" request peticion" +
		" correlacion incidencia",
	ago: "hace fa hai duela ago",
	button: "aceptar rechazar configurar cerrar acceptar rebutjar tancar onartu baztertu itxi pechar aceitar accept" +
		" reject close imprimir compartir escuchar subir volver inicio arriba print share listen back top tornar" +
		" inprimatu partekatu itzuli pdf email correo facebook twitter x whatsapp linkedin telegram todas" +
		" todo entendido" +
		" si no enviar descargar leer mas more read",
	label: "aviso avisos avis ohar oharra oharrak notice alert alerta atencion atencio atencion kontuz importante" +
		" important garrantzitsua warning novedad novetat comunicado",
	substance: "necesi* imprescindible* traiga* llevar exig* requier* autoriz* calen behar* need* required" +
		" bring precis* plazo* termini* prazo* epe epea epean epemuga* deadline* requisit* betekizun*" +
		" requirement* document*" +
		" dokument* importe* import cuantia* quantia* contia zenbateko* amount* fee fees tasa taxa tasas" +
		" taxes solicit*" +
		" sollicit* eskaera* eskabide* apply appl* convocator* deialdi* convocatoria* obligator* obrigator*" +
		" derrigorr*" +
		" mandatory must debe deben deberan debera cal heu deben debera haura* aport* presenta* aurkez* ayuda" +
		" ayudas" +
		" subvenc* beca becas axuda axudas laguntza* ley decreto orden derog* suspend* suprim* trasla* agotad*" +
		" gratuit* exent* irpf renta certificad* dni nie",
	strongSubstance: "plazo* termini* prazo* epea epean epemuga* deadline* requisit* importe* cuantia* tasa taxa" +
		" amplia* prorrog* ampliac* luzatu* extend* derog* suprim* trasla* agotad* definitivamente sustituid*",
	procedure: "firma* signa* asina* sinad* sinatu* signed sign certificad* certificat* ziurtagiri* admit* admet*" +
		" onartzen compuls* cotej* pago pagos paga pagan pagar pagament* pagamento* ordain* payment" +
		" pay paid abona* cobra* domicili* comunicacion* comunica comunican comunicar copia copias fotocopi*" +
		" photocop* kopia* original* justifica* xustifica* frotagiri* fotograf* photograph* factur* faktura*" +
		" contrato* contracte* kontratu* notari* sellad* titular* empadron* erroldat* anula* entreg*" +
		" entregu* lliura* hereder* familiar* banco banc banku* bancari*",
	incident: "incidenc* inciden* fallo fallos fallada averia averias avaria gorabehera* outage",
	telling:  "denos danos diganos dinos cuentenos cuentanos expliqueu digueu doneu dinos contanos tell esaguzu",
	cookie:   "cookie* galetes",
	maintenance: "mantenimiento manteniment mantemento mantentze* maintenance mantentze migracion" +
		" actualizacion tecnic*" +
		" tecnica teknik* technical programada",
	site: "web webgun* sede seu egoitza portal sistema sistemes sistemas plataforma servidor servidores servicio" +
		" servicios servei" +
		" serveis servizo servizos zerbitzu* website site service services system oficina electronic* elektroniko*" +
		" tramites tramits tramitacion online pagina",
	outage: "funciona funcionara funcionaran inoperativ* interrup* interromp* incidenc* inciden* gorabehera*" +
		" caida corte disponible disponibles" +
		" disponibels indisponib* eskuragarri unavailable available outage disrupt* eten* inaccesible fallo fallos" +
		" problemas problemes intermit* parada aturada limitad*",
	apology: "molestias molesties molestia disculp* desculp* barkatu eragozpen* sorry apolog* inconvenience",
	survey: "encuesta encuestas enquesta enquestes enquisa inkesta* survey questionnaire cuestionario questionari" +
		" galdetegi*",
	opinion: "satisfac* asebetetze* opin* mejorar millorar mellorar hobetzen hobetzeko improve feedback" +
		" valor* ayud* ajud*" +
		" axud* lagun* minuto* minuts minutu* help experienc* participa*",
	useful: "util utiles erabilgarria useful helpful",
	pageWord: "pagina contenido contingut informacion informacio contido orri orria orrialde* edukia page" +
		" content resultado",
	app: "app apps aplicacion aplicacio aplikazio* application",
	download: "descarga descargue descargar descargate descarrega descarregueu descarga* deskargatu instal*" +
		" android ios" +
		" iphone movil mobil mugikor* download play",
	subscribe: "suscri* subscri* harpidetu* register alta apuntate",
	newsletter: "boletin butlleti buletin* newsletter novedades novetats novidades avisos alertas alertes noticias" +
		" canal kanal* news",
	social: "facebook twitter instagram whatsapp telegram linkedin youtube tiktok redes xarxes sareetan social" +
		" bluesky",
	follow: "sigue siguenos siganos segue seguide seguiu segueix seguenos jarraitu follow compart* parteka* share" +
		" canal unete novedades",
	fraud:     "fraud* phishing suplant* iruzur* estafa* scam* smishing enganos*",
	browser:   "navegador navegadores nabigatzaile* browser browsers explorer",
	script:    "javascript version versio compatible recomend* recoman* activ* habilit* chrome firefox edge support*",
	assistant: "chatbot chat asistente assistent txat* bot",
	renewed:   "estren* renov* nueva nova nou nuevo novo berri* new redesign* redisen*",
	welcome:   "estren* bienvenid* benvingut* benvid* ongi welcome presentamos imagen imatge diseno dissen*",
	weather: "temporal meteorolog* calor alerta lluvias viento incendio* amarillo naranja amarilla nevada eguraldi*" +
		" emergenc*",
	demand: "busy demanda volumen volum afluencia llamadas trucades elevado alto saturac* eskari*",
	delay:  "longer usual wait demora* retras* retard* atraso* espera tardar* atzerapen* delay* normal habitual",
	works: "tarea tareas trabajos labores tasques treballs traballos tarefas lanak lan lanetan work works" +
		" upgrade parada",
	translated: "traduc* traduc* translat* itzul* itzulp*",
	machine:    "automatic* automatik* machine",
	wishes:     "felices feliz bones felic gabon zorionak merry",
	language: "castellano gallego galego euskera euskara catalan catala ingles english spanish idioma" +
		" idiomas llengua",
	thirdParty: "terceros tercers terceiros hirugarren* third",
	consent:    "navegacion navegacio navigation browsing publicidad privacidad privacitat acepta* accept* consent*",
	special:    "especial especials especiais verano estiu veran uda udako reducido navidad nadal agosto summer",
	mistake:    "error errores erro errors errada akats*",
	closed: "vacacion* vacances oporr* permanecera permaneceran cerrara cerraran romandra romandran tancat" +
		" tancara tancades pechara pechada itxita" +
		" festivo festivos festiu festa navidad nadal fiestas closed holiday*",
}

// monthNames has the names of the months: entire words, and stems for Basque.
var monthNames = []string{
	"enero gener xaneiro january urtarril*", "febrero febrer febreiro february otsail*",
	"marzo marc march martxo*", "abril april apiril*", "mayo maig maio may maiatz*", "junio juny xuno june ekain*",
	"julio juliol xullo july uztail*", "agosto agost august abuztu*",
	"septiembre setiembre setembre setembro september irail*", "octubre outubro october urri urria* urrira* urritik",
	"noviembre novembre novembro november azaro*", "diciembre desembre decembro december abendu*",
}

// monthAbbreviations has their short forms, which are months only beside a number.
var monthAbbreviations = []string{
	"ene jan gen xan urt", "feb ots", "mar mzo", "abr apr api", "may mai", "jun xun eka", "jul xul uzt",
	"ago aug abu", "sep sept set ira", "oct out urr", "nov aza", "dic des dec abe",
}

// numeralNames has the numbers that are written in words.
var numeralNames = map[string]string{
	"1": "un uno una unha bat one", "2": "dos dous duas dues bi two", "3": "tres hiru three",
	"4": "cuatro quatre catro lau four", "5": "cinco cinc bost five", "6": "seis sis sei six",
	"7": "siete set sete zazpi seven",
	"8": "ocho vuit oito zortzi eight", "9": "nueve nou nove bederatzi nine", "10": "diez deu dez hamar ten",
	"11": "once onze hamaika eleven", "12": "doce dotze hamabi twelve", "13": "trece tretze",
	"14": "catorce catorze fourteen",
	"15": "quince quinze hamabost fifteen", "16": "dieciseis setze", "18": "dieciocho divuit hemezortzi eighteen",
	"20": "veinte vint vinte hogei twenty", "24": "veinticuatro", "25": "veinticinco vintecinco hogeitabost",
	"30": "treinta trenta trinta hogeitahamar thirty", "40": "cuarenta quaranta corenta berrogei forty",
	"50": "cincuenta cinquanta cincuenta berrogeitahamar fifty",
	"60": "sesenta seixanta sesenta hirurogei sixty", "70": "setenta setanta",
	"80": "ochenta vuitanta oitenta laurogei eighty",
	"90": "noventa noranta laurogeitahamar ninety", "100": "cien cent ehun hundred", "1000": "mil mila thousand",
}

// words returns the meanings of the words, made once from the tables above. A stem stands under its first stemKey
// bytes.
var words = sync.OnceValue(makeDictionary)

const stemKey = 3

type entry struct {
	word  string
	class class
	month string // 1 to 12
	value string // of a numeral
}

type dictionary struct {
	exact map[string]entry
	stems map[string][]entry
}

func makeDictionary() dictionary {
	d := dictionary{map[string]entry{}, map[string][]entry{}}
	for c, list := range lexicon {
		d.add(list, entry{class: c})
	}
	for i, list := range monthNames {
		d.add(list, entry{class: month, month: strconv.Itoa(i + 1)})
	}
	for i, list := range monthAbbreviations {
		d.add(list, entry{class: monthShort, month: strconv.Itoa(i + 1)})
	}
	for value, list := range numeralNames {
		d.add(list, entry{class: numeral, value: value})
	}
	return d
}

// add adds the meaning of a list of words.
func (d dictionary) add(list string, meaning entry) {
	for word := range strings.FieldsSeq(list) {
		if stem, ok := strings.CutSuffix(word, "*"); ok {
			meaning.word = stem
			key := stem[:stemKey]
			d.stems[key] = append(d.stems[key], meaning)
			continue
		}
		e := d.exact[word]
		e.merge(meaning)
		d.exact[word] = e
	}
}

// merge adds another meaning of a word.
func (e *entry) merge(other entry) {
	e.class |= other.class
	e.month = cmp.Or(e.month, other.month)
	e.value = cmp.Or(e.value, other.value)
}

// lookup returns all meanings of a word.
func (d dictionary) lookup(word string) entry {
	e := d.exact[word]
	if len(word) < stemKey {
		return e
	}
	for _, stem := range d.stems[word[:stemKey]] {
		if strings.HasPrefix(word, stem.word) {
			e.merge(stem)
		}
	}
	return e
}
