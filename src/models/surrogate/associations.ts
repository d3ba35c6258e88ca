import { stem } from "./stem.ts";

/**
 * Everyday words that belong together, a group a line: as much of the world as the surrogate knows. Whoever asks about
 * feathers then thinks of birds. A word is in one group, the first that has it. The fields were chosen with the site
 * descriptions of the shipped corpus in view, which every prompt shows; on other sites fewer words will have a group.
 */
const groups = `
bird birds feather wing nest beak owl hawk duck goose hen poultry songbird plumage flock chick
spider web spinner eight-legged arachnid silk
insect beetle bug butterfly moth caterpillar bee ant wasp fly pollinator larva
snake serpent reptile lizard viper adder venom scales tortoise
frog toad newt amphibian tadpole pond
bat nocturnal echolocation roost
deer stag antler elk hoof herd fawn moose roe
fish trout salmon carp angling fin gill perch aquarium
dog puppy hound canine kennel breed cat kitten feline pet
horse pony rider saddle stable equestrian mare foal stallion
plant flower garden gardening bloom blossom bulb petal planting soil shrub rose perennial hedge
tree forest wood timber oak pine orchard fruit apple pear plum cherry
vegetable bean cabbage carrot onion potato tomato harvest sow allotment crop
vine climber ivy creeper trellis
houseplant indoor potted windowsill pot
grass lawn meadow reed
animal wildlife creature mammal species habitat prey predator
soup broth stock chowder
stew casserole goulash hotpot braise
bread loaf dough flour yeast bakery baker crust
salad lettuce dressing
cake pudding dessert sweet pastry pie tart biscuit sugar chocolate
cook cooking recipe kitchen dish meal eat ingredient oven boil fry bake dumpling pancake food serve supper
tea infusion leaves brew coffee bean roast espresso caffeine
beer ale lager brewery pint hop malt
wine grape vineyard bottle vintage cellar
spirit spirits whisky gin vodka liquor distillery rum brandy
juice cordial lemonade syrup squash drink cider soft
skin rash itch eczema ointment cream acne dermatology
stomach digestion belly gut nausea indigestion bowel tummy
head headache migraine
sleep insomnia bed tired sleepless awake nap
heart cardiac pulse blood pressure circulation
joint bone knee hip arthritis stiff
eye eyes sight vision drops glasses optician
infection fever virus bacteria antibiotic flu germ
vaccine vaccination jab immunity injection shot
vitamin mineral supplement deficiency nutrition diet
pain painkiller ache relief sore tablet
medicine drug pill dose remedy pharmacy prescription medication
doctor physician hospital patient clinic symptom treatment disease illness health medical nurse
phone mobile smartphone handset call
computer laptop notebook tablet screen keyboard
printer ink print toner
speaker loudspeaker sound headphone audio stereo
camera photo lens photograph photography
drone quadcopter propeller
bicycle bike cyclist cycling pedal cycle pushbike wheel
car vehicle motor engine driver garage
train railway rail station locomotive
ship boat sailing sail harbour vessel shipyard sailor yacht sea marine
airline plane flight airport pilot aircraft
software program programming code developer library framework compiler app open-source
game player play gaming level console
chart graph plot diagram visualisation dashboard
mail email inbox message spam
test testing bug assertion
website browser frontend http server
dishwasher washing rinse appliance
boiler heating radiator heat furnace
tap sink plumbing pipe leak faucet
window glass pane frame glazing
roof tile gutter slate attic
floor floorboard parquet carpet plank
furniture chair table cabinet shelf joinery carpentry
knit knitting wool yarn needle
sew sewing fabric thread stitch seam cloth
pottery clay kiln ceramic glaze potter
carving carve chisel whittle sculpt
paper fold origami cardboard
model miniature kit scale
housing rent tenant landlord flat mortgage apartment
grant subsidy funding allowance benefit
permit licence license approval application authorisation
parent parental mother father baby maternity leave nursery
consumer refund warranty complaint customer
pension retirement retire pensioner
loan bank credit lender savings interest money finance
insurance insurer insured premium cover claim
business company firm start-up startup founder enterprise
shoe shoes footwear boot sandal cobbler
toy doll plaything
milk dairy cheese butter cow
energy electricity power gas supplier utility
job work career occupation salary wage employment profession trade apprentice apprenticeship
teaching teacher school lesson pupil classroom
stage theatre actor drama audience musical
laboratory lab chemist technician
care carer caring nursing elderly
law court legal judge rights lawyer
football soccer goal striker league
rowing oar rower crew regatta
hockey ice puck rink
handball table-tennis racket ping-pong
wrestling wrestler mat fighting grapple
running run runner marathon jogging race
swimming swim swimmer pool
chess board tournament grandmaster
climbing climb mountain cliff rock peak ascent
hiking hike trail walk walking path footpath trek
ski skiing snow slope piste
canoe kayak paddle
route itinerary map
sport club team champion athlete stadium coach trainer fixture
town city village market capital mayor
island beach coast resort seaside
spa bath thermal spring
mine mining miner coal pit
pilgrim pilgrimage shrine monastery church
travel trip tourist visit visitor hotel accommodation sightseeing holiday destination hostel
museum exhibition exhibit collection
gallery painting painter art artist
monument memorial statue castle ruin fortress tower
zoo theme-park amusement rollercoaster
festival carnival parade fair celebration procession
book novel author writer chapter story fiction reader literature
crime detective murder mystery thriller suspense
ghost haunted horror spooky
love romance romantic
children kids childhood young
memoir autobiography biography life
historical history past century ancient
satire comedy funny humour laugh comic
space robot alien future
film movie cinema director shot scene
documentary factual footage
animated animation cartoon
war soldier battle army
western cowboy ranch
music song band album singer musician tune concert
jazz saxophone swing
rock guitar drummer
opera aria soprano
choir choral hymn chorus
folk fiddle ballad traditional
electronic synthesiser techno
astronomy star planet telescope galaxy
mathematics mathematician theorem proof number
physics physicist particle
climate weather warming rain temperature
chemistry material alloy polymer
archaeology dig excavation artefact
geology geologist mineral fossil
botany botanist herbarium
psychology mind behaviour memory
inventor invention patent
explorer expedition polar arctic antarctic
science research study researcher scientist laboratory
`;

const groupOf = new Map<string, string>();
for (const line of groups.trim().split("\n")) {
  const [name, ...others] = line.split(" ") as [string, ...string[]];
  for (const word of [name, ...others]) if (!groupOf.has(stem(word))) groupOf.set(stem(word), name);
}

/** The name of the group that a stem belongs to. */
export function associationOf(stemmed: string): string | undefined {
  return groupOf.get(stemmed);
}
