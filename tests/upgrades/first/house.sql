BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE chat (
	id INTEGER NOT NULL, 
	"table" VARCHAR(12) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
INSERT INTO "chat" VALUES(1,'jpwhx33dx3',-2,'Ben 0','{0} sits down',1.79478836461685514452e+09);
INSERT INTO "chat" VALUES(2,'wqwt2adtkk',-2,'Ben 0','{0} sits down',1.79478836488784241677e+09);
INSERT INTO "chat" VALUES(3,'qa4ckkrjaq',-2,'Ben 0','{0} sits down',1.79478836547181105614e+09);
INSERT INTO "chat" VALUES(4,'td9254k8ts',-2,'Ben 0','{0} sits down',1.7947883660684933663e+09);
INSERT INTO "chat" VALUES(5,'td9254k8ts',-2,'Ben 1','{0} sits down',1.79478836608364248272e+09);
INSERT INTO "chat" VALUES(6,'5vg3rfebaz',-2,'Ben 0','{0} sits down',1.79478836639122962953e+09);
INSERT INTO "chat" VALUES(7,'kehnf799tt',-2,'Ben 0','{0} sits down',1.7947883666315331459e+09);
CREATE TABLE devices (
	hash VARCHAR(64) NOT NULL, 
	person INTEGER NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "devices" VALUES('31218c24bff23f2fbe975de9f26bf9307fbdea2b74740692b6ca6be3723fd275',1,1.79478836451146221155e+09);
INSERT INTO "devices" VALUES('22d1d7dc9d59717d71f590a3b94411c044ed7c2c2e377f8754c2749f0a9b8eb2',2,1.79478836460307025909e+09);
INSERT INTO "devices" VALUES('c27d9f2553caf0e1087c7c89afbd5fcdcaa7f8b03bdc8c5dc063f9afe8804a86',3,1.79478836484978318218e+09);
INSERT INTO "devices" VALUES('799a4f49ce5bd9cdd2812e1df066cc645ee66ae3db677f104a9a5cb7d21ddfb1',4,1.79478836485551667212e+09);
INSERT INTO "devices" VALUES('9ae7b1046e7a49df3d70aa5ac8422045e40c3533a62a034b839f725ed4bf9653',5,1.79478836544340157512e+09);
INSERT INTO "devices" VALUES('e0457dfa5aa2d51b3196751c05b78c578a482df4175b0d9d4acc668542cf182e',6,1.79478836546814346313e+09);
INSERT INTO "devices" VALUES('f3dfa37a4b8a83aae8edb91aa3cbeef11fc0cbd588a713f8a3e7b5e140533272',7,1.79478836603834915157e+09);
INSERT INTO "devices" VALUES('e098d252f6dbed2c34b3332aa89a5f91304ec72880712a1a0521ffb87c83a893',8,1.79478836606718516349e+09);
INSERT INTO "devices" VALUES('2bed49f7016cdde8f8a763646d9c356bc90cbfaa607f30c5d71481e4656134b9',9,1.79478836607592535023e+09);
INSERT INTO "devices" VALUES('9fc4e625d6af9ddb4448060ac7eba76fb873c12a96f28d44c8192fbeafc8f52a',10,1.79478836638009953499e+09);
INSERT INTO "devices" VALUES('2a2daaf0ce3ede52598d7ad0e1a38d4173a1a06ad664323c6f57491b5a8451b1',11,1.79478836639011335375e+09);
INSERT INTO "devices" VALUES('61da502d942efb0e3d9a36cff578aeb24e7cc35add96a5d5a9b09e1b3fd78d60',12,1.79478836658652162556e+09);
INSERT INTO "devices" VALUES('186d2fb7ef0b17f2956ffdfbc5f5bc33a077990676bb32afa836cfb725cfb725',13,1.79478836662301898009e+09);
CREATE TABLE history (
	"table" VARCHAR(12) NOT NULL, 
	version INTEGER NOT NULL, 
	kind VARCHAR(4) NOT NULL, 
	seat INTEGER NOT NULL, 
	option TEXT NOT NULL, 
	"key" VARCHAR(64) NOT NULL, 
	bot VARCHAR(20) NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY ("table", version), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
INSERT INTO "history" VALUES('jpwhx33dx3',1,'move',0,'start antioch','','',1.79478836464235091204e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',2,'move',1,'start jerusalem','','',1.7947883646649823189e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',3,'move',0,'end','','',1.7947883646797497272e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',4,'move',1,'travel weak','','',1.79478836469110035901e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',5,'move',1,'to gaza','','',1.79478836470223951336e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',6,'move',0,'travel strong','','',1.79478836471306109432e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',7,'move',0,'to rome','','',1.79478836472459435469e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',8,'move',1,'to jerusalem','','',1.79478836473427867887e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',9,'move',0,'tradition','','',1.79478836474440693856e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',10,'move',0,'keep 2','','',1.79478836475433611873e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',11,'move',0,'slot 4','','',1.7947883647639362812e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',12,'move',0,'face 0','','',1.79478836477390408512e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',13,'move',1,'decline','','',1.7947883647832121849e+09);
INSERT INTO "history" VALUES('jpwhx33dx3',14,'move',0,'boat','','',1.79478836479318809506e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',1,'move',0,'stand haran','','',1.79478836492672753338e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',2,'move',1,'stand peniel','','',1.79478836494054269784e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',3,'move',0,'discard','','',1.79478836495752072329e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',4,'move',0,'drop g05','','',1.79478836497222781183e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',5,'move',0,'end','','',1.79478836499436354636e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',6,'move',1,'burn g09','','',1.79478836500850725179e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',7,'move',1,'end','','',1.79478836502272248265e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',8,'move',0,'discard','','',1.79478836503926563262e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',9,'move',0,'drop g03','','',1.79478836505102157597e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',10,'move',0,'move hazor','','',1.79478836506703948974e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',11,'move',0,'end','','',1.79478836508330035206e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',12,'move',1,'take o55','','',1.7947883651118664741e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',13,'move',1,'move assyria','','',1.79478836514350199695e+09);
INSERT INTO "history" VALUES('wqwt2adtkk',14,'move',1,'take o03','','',1.79478836518759179118e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',1,'move',1,'go aux','','',1.7947883655006177426e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',2,'move',1,'stop','','',1.79478836552273941038e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',3,'move',1,'guard g1','','',1.79478836555406332017e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',4,'move',1,'to bar','','',1.79478836556531977657e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',5,'move',0,'go lrh','','',1.79478836557670497894e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',6,'move',0,'go bor','','',1.79478836558714294428e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',7,'move',1,'go bet','','',1.79478836559722471242e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',8,'move',1,'go bou','','',1.79478836562077736851e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',9,'move',1,'go lim','','',1.79478836563556241987e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',10,'move',1,'stop','','',1.79478836565559768671e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',11,'move',0,'go lrh','','',1.79478836567745947839e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',12,'move',0,'stop','','',1.79478836570199322703e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',13,'move',0,'stop','','',1.79478836573519802098e+09);
INSERT INTO "history" VALUES('qa4ckkrjaq',14,'move',0,'go bet','','',1.79478836583366441722e+09);
INSERT INTO "history" VALUES('td9254k8ts',1,'move',0,'post lake','','',1.7947883661082224846e+09);
INSERT INTO "history" VALUES('td9254k8ts',2,'move',1,'post mountain','','',1.79478836611825561518e+09);
INSERT INTO "history" VALUES('td9254k8ts',3,'move',2,'post lake','','',1.79478836612780499456e+09);
INSERT INTO "history" VALUES('td9254k8ts',4,'move',0,'play r03','','',1.79478836613877558705e+09);
INSERT INTO "history" VALUES('td9254k8ts',5,'move',0,'column 3','','',1.79478836615057754516e+09);
INSERT INTO "history" VALUES('td9254k8ts',6,'move',0,'skip','','',1.79478836616093254084e+09);
INSERT INTO "history" VALUES('td9254k8ts',7,'move',0,'take ma18','','',1.79478836617143797877e+09);
INSERT INTO "history" VALUES('td9254k8ts',8,'move',1,'play b05','','',1.79478836618209123612e+09);
INSERT INTO "history" VALUES('td9254k8ts',9,'move',1,'column 3','','',1.79478836619258069989e+09);
INSERT INTO "history" VALUES('td9254k8ts',10,'move',1,'go u3c3','','',1.79478836620536041264e+09);
INSERT INTO "history" VALUES('td9254k8ts',11,'move',1,'draw','','',1.79478836621585440633e+09);
INSERT INTO "history" VALUES('td9254k8ts',12,'move',1,'skip','','',1.79478836622609376908e+09);
INSERT INTO "history" VALUES('td9254k8ts',13,'move',1,'take ma11','','',1.79478836623618865017e+09);
INSERT INTO "history" VALUES('td9254k8ts',14,'move',1,'discard b09','','',1.79478836624642586706e+09);
INSERT INTO "history" VALUES('td9254k8ts',15,'move',2,'play y01','','',1.79478836625662636753e+09);
INSERT INTO "history" VALUES('td9254k8ts',16,'move',2,'column 2','','',1.794788366266964674e+09);
INSERT INTO "history" VALUES('td9254k8ts',17,'move',2,'mahane','','',1.79478836627737116816e+09);
INSERT INTO "history" VALUES('td9254k8ts',18,'move',2,'draw','','',1.79478836628849029539e+09);
INSERT INTO "history" VALUES('td9254k8ts',19,'move',2,'go u1c8','','',1.79478836630163812639e+09);
INSERT INTO "history" VALUES('td9254k8ts',20,'move',2,'skip','','',1.79478836631187200546e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',1,'move',0,'sire_shaman','','',1.79478836640224242212e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',2,'move',1,'sire_shaman','','',1.79478836641102218628e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',3,'move',0,'create','','',1.79478836642468643188e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',4,'move',0,'build temple','','',1.79478836644504237182e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',5,'move',1,'sire','','',1.79478836645450353618e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',6,'move',0,'pass','','',1.79478836646774196628e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',7,'move',1,'create','','',1.79478836647676372531e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',8,'move',1,'build art','','',1.79478836650095558164e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',9,'move',0,'sire','','',1.79478836651051855085e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',10,'move',1,'sire_shaman','','',1.79478836652023530009e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',11,'move',1,'sire','','',1.79478836652930116651e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',12,'move',1,'create','','',1.79478836656034731857e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',13,'move',1,'sire_shaman','','',1.79478836656950092309e+09);
INSERT INTO "history" VALUES('5vg3rfebaz',14,'move',1,'shamans 2','','',1.79478836657883548738e+09);
INSERT INTO "history" VALUES('kehnf799tt',1,'move',0,'create','','',1.79478836665094709399e+09);
INSERT INTO "history" VALUES('kehnf799tt',2,'move',0,'build temple','','',1.7947883666638891697e+09);
INSERT INTO "history" VALUES('kehnf799tt',3,'move',1,'sire_shaman','','',1.79478836668045711516e+09);
INSERT INTO "history" VALUES('kehnf799tt',4,'move',0,'create','','',1.79478836669764304154e+09);
INSERT INTO "history" VALUES('kehnf799tt',5,'move',1,'create','','',1.7947883667244932651e+09);
INSERT INTO "history" VALUES('kehnf799tt',6,'move',1,'build art','','',1.79478836674308681485e+09);
INSERT INTO "history" VALUES('kehnf799tt',7,'move',1,'pass','','',1.79478836676277065274e+09);
INSERT INTO "history" VALUES('kehnf799tt',8,'move',1,'pass','','',1.79478836677273607255e+09);
INSERT INTO "history" VALUES('kehnf799tt',9,'move',0,'sire','','',1.79478836678325557709e+09);
INSERT INTO "history" VALUES('kehnf799tt',10,'move',1,'sire','','',1.7947883667936122417e+09);
INSERT INTO "history" VALUES('kehnf799tt',11,'move',1,'shamans 0','','',1.79478836680306816104e+09);
INSERT INTO "history" VALUES('kehnf799tt',12,'move',0,'sire','','',1.79478836681274414059e+09);
INSERT INTO "history" VALUES('kehnf799tt',13,'move',1,'sire_shaman','','',1.79478836682192206385e+09);
INSERT INTO "history" VALUES('kehnf799tt',14,'move',1,'shamans 0','','',1.79478836683569598197e+09);
INSERT INTO "history" VALUES('kehnf799tt',15,'move',0,'attack','','',1.79478836684901428217e+09);
INSERT INTO "history" VALUES('kehnf799tt',16,'move',0,'followers 7','','',1.79478836686074519164e+09);
INSERT INTO "history" VALUES('kehnf799tt',17,'move',1,'attack','','',1.79478836686996626854e+09);
INSERT INTO "history" VALUES('kehnf799tt',18,'move',1,'at 0 1','','',1.79478836687934160225e+09);
INSERT INTO "history" VALUES('kehnf799tt',19,'move',1,'shamans 0','','',1.7947883668911092281e+09);
INSERT INTO "history" VALUES('kehnf799tt',20,'move',1,'followers 10','','',1.7947883669056785106e+09);
INSERT INTO "history" VALUES('kehnf799tt',21,'move',0,'convert','','',1.794788366918510437e+09);
INSERT INTO "history" VALUES('kehnf799tt',22,'move',1,'pass','','',1.79478836692801237105e+09);
INSERT INTO "history" VALUES('kehnf799tt',23,'move',0,'create','','',1.79478836693781971926e+09);
INSERT INTO "history" VALUES('kehnf799tt',24,'move',0,'on 3','','',1.79478836694741535184e+09);
INSERT INTO "history" VALUES('kehnf799tt',25,'move',0,'build burial','','',1.79478836695666432382e+09);
INSERT INTO "history" VALUES('kehnf799tt',26,'move',1,'create','','',1.79478836696649146076e+09);
INSERT INTO "history" VALUES('kehnf799tt',27,'move',1,'on 2','','',1.79478836698510026926e+09);
INSERT INTO "history" VALUES('kehnf799tt',28,'move',1,'build temple','','',1.79478836700464558602e+09);
INSERT INTO "history" VALUES('kehnf799tt',29,'move',0,'sire','','',1.79478836702078461649e+09);
INSERT INTO "history" VALUES('kehnf799tt',30,'move',0,'sire_shaman','','',1.79478836703623485567e+09);
INSERT INTO "history" VALUES('kehnf799tt',31,'move',0,'preserve','','',1.79478836707975101475e+09);
INSERT INTO "history" VALUES('kehnf799tt',32,'move',1,'sire_shaman','','',1.79478836709562110905e+09);
INSERT INTO "history" VALUES('kehnf799tt',33,'move',1,'shamans 2','','',1.79478836710693192483e+09);
INSERT INTO "history" VALUES('kehnf799tt',34,'move',0,'reverse','','',1.79478836711825585361e+09);
INSERT INTO "history" VALUES('kehnf799tt',35,'move',0,'at 0 2','','',1.79478836713262653347e+09);
INSERT INTO "history" VALUES('kehnf799tt',36,'move',1,'create','','',1.79478836714861559871e+09);
INSERT INTO "history" VALUES('kehnf799tt',37,'move',1,'on 1','','',1.79478836715891432759e+09);
INSERT INTO "history" VALUES('kehnf799tt',38,'move',1,'build tools','','',1.7947883671690061093e+09);
INSERT INTO "history" VALUES('kehnf799tt',39,'move',0,'pass','','',1.79478836718366575246e+09);
INSERT INTO "history" VALUES('kehnf799tt',40,'move',1,'sire_shaman','','',1.79478836720279765135e+09);
INSERT INTO "history" VALUES('kehnf799tt',41,'move',0,'sire_shaman','','',1.79478836724180340761e+09);
INSERT INTO "history" VALUES('kehnf799tt',42,'move',1,'sire','','',1.79478836729194045069e+09);
INSERT INTO "history" VALUES('kehnf799tt',43,'move',0,'attack','','',1.79478836731639552117e+09);
INSERT INTO "history" VALUES('kehnf799tt',44,'move',0,'followers 10','','',1.79478836733815908435e+09);
INSERT INTO "history" VALUES('kehnf799tt',45,'move',1,'sire','','',1794788367.35634);
INSERT INTO "history" VALUES('kehnf799tt',46,'move',0,'sire_shaman','','',1.79478836736706161497e+09);
INSERT INTO "history" VALUES('kehnf799tt',47,'move',0,'preserve','','',1.79478836737691640852e+09);
INSERT INTO "history" VALUES('kehnf799tt',48,'move',0,'on 3','','',1.79478836738637328148e+09);
INSERT INTO "history" VALUES('kehnf799tt',49,'move',0,'shamans 1','','',1.79478836739952325816e+09);
INSERT INTO "history" VALUES('kehnf799tt',50,'move',1,'sire','','',1.79478836743270564078e+09);
INSERT INTO "history" VALUES('kehnf799tt',51,'move',1,'shamans 2','','',1.79478836744913792609e+09);
INSERT INTO "history" VALUES('kehnf799tt',52,'move',0,'create','','',1.79478836746373367314e+09);
INSERT INTO "history" VALUES('kehnf799tt',53,'move',0,'build tools','','',1.7947883675220842361e+09);
INSERT INTO "history" VALUES('kehnf799tt',54,'move',0,'shamans 0','','',1.79478836756052494054e+09);
INSERT INTO "history" VALUES('kehnf799tt',55,'move',1,'create','','',1.7947883676447846889e+09);
INSERT INTO "history" VALUES('kehnf799tt',56,'move',1,'on 3','','',1.79478836771298217766e+09);
INSERT INTO "history" VALUES('kehnf799tt',57,'move',1,'build art','','',1.79478836779711031909e+09);
INSERT INTO "history" VALUES('kehnf799tt',58,'move',0,'pass','','',1.79478836783970355987e+09);
INSERT INTO "history" VALUES('kehnf799tt',59,'move',1,'preserve','','',1.79478836790399813648e+09);
INSERT INTO "history" VALUES('kehnf799tt',60,'move',0,'attack','','',1.79478836793339872361e+09);
INSERT INTO "history" VALUES('kehnf799tt',61,'move',0,'shamans 1','','',1.79478836796678185459e+09);
INSERT INTO "history" VALUES('kehnf799tt',62,'move',0,'followers 1','','',1.79478836800703597069e+09);
INSERT INTO "history" VALUES('kehnf799tt',63,'move',0,'sire','','',1.79478836811117672921e+09);
INSERT INTO "history" VALUES('kehnf799tt',64,'move',0,'pass','','',1.79478836816978645331e+09);
INSERT INTO "history" VALUES('kehnf799tt',65,'move',1,'preserve','','',1.7947883682487428188e+09);
INSERT INTO "history" VALUES('kehnf799tt',66,'move',1,'on 1','','',1.79478836831977367396e+09);
INSERT INTO "history" VALUES('kehnf799tt',67,'move',1,'shamans 0','','',1.79478836836831521983e+09);
INSERT INTO "history" VALUES('kehnf799tt',68,'move',0,'sire','','',1.79478836838843655585e+09);
INSERT INTO "history" VALUES('kehnf799tt',69,'move',0,'shamans 0','','',1.79478836842427206038e+09);
INSERT INTO "history" VALUES('kehnf799tt',70,'move',1,'reverse','','',1.79478836844741559031e+09);
INSERT INTO "history" VALUES('kehnf799tt',71,'move',1,'at 1 1','','',1.79478836847157359121e+09);
INSERT INTO "history" VALUES('kehnf799tt',72,'move',1,'shamans 1','','',1.79478836849230194089e+09);
INSERT INTO "history" VALUES('kehnf799tt',73,'move',1,'followers 1','','',1.79478836851074123387e+09);
INSERT INTO "history" VALUES('kehnf799tt',74,'move',0,'attack','','',1.79478836857388854026e+09);
INSERT INTO "history" VALUES('kehnf799tt',75,'move',0,'at 1 3','','',1.79478836859216618537e+09);
INSERT INTO "history" VALUES('kehnf799tt',76,'move',0,'shamans 1','','',1.79478836860719156258e+09);
INSERT INTO "history" VALUES('kehnf799tt',77,'move',0,'followers 2','','',1.79478836862541151053e+09);
INSERT INTO "history" VALUES('kehnf799tt',78,'move',1,'defend','','',1.79478836864023780827e+09);
INSERT INTO "history" VALUES('kehnf799tt',79,'move',1,'followers 2','','',1.79478836865539216997e+09);
INSERT INTO "history" VALUES('kehnf799tt',80,'move',0,'preserve','','',1.79478836867002153397e+09);
INSERT INTO "history" VALUES('kehnf799tt',81,'move',0,'on 1','','',1.79478836868438100821e+09);
INSERT INTO "history" VALUES('kehnf799tt',82,'move',0,'shamans 1','','',1.79478836870026087755e+09);
INSERT INTO "history" VALUES('kehnf799tt',83,'move',1,'attack','','',1.7947883687153010369e+09);
INSERT INTO "history" VALUES('kehnf799tt',84,'move',1,'at 0 3','','',1.79478836876379036898e+09);
INSERT INTO "history" VALUES('kehnf799tt',85,'move',1,'followers 4','','',1.79478836881761980061e+09);
INSERT INTO "history" VALUES('kehnf799tt',86,'move',0,'preserve','','',1.79478836884393954274e+09);
INSERT INTO "history" VALUES('kehnf799tt',87,'move',0,'on 3','','',1.7947883688608839512e+09);
INSERT INTO "history" VALUES('kehnf799tt',88,'move',0,'sire','','',1.7947883688757257461e+09);
INSERT INTO "history" VALUES('kehnf799tt',89,'move',0,'preserve','','',1.79478836889017462734e+09);
INSERT INTO "history" VALUES('kehnf799tt',90,'move',0,'pass','','',1.79478836891726112367e+09);
INSERT INTO "history" VALUES('kehnf799tt',91,'move',0,'pass','','',1.79478836893769240381e+09);
INSERT INTO "history" VALUES('kehnf799tt',92,'move',1,'pass','','',1.79478836895285582542e+09);
INSERT INTO "history" VALUES('kehnf799tt',93,'move',1,'sire_shaman','','',1.79478836899523615843e+09);
INSERT INTO "history" VALUES('kehnf799tt',94,'move',1,'shamans 1','','',1.79478836901384425166e+09);
INSERT INTO "history" VALUES('kehnf799tt',95,'move',0,'pass','','',1.7947883690264625549e+09);
INSERT INTO "history" VALUES('kehnf799tt',96,'move',1,'sire_shaman','','',1.79478836906351399424e+09);
INSERT INTO "history" VALUES('kehnf799tt',97,'move',0,'pass','','',1.79478836908764290808e+09);
INSERT INTO "history" VALUES('kehnf799tt',98,'move',1,'preserve','','',1.79478836911185884476e+09);
INSERT INTO "history" VALUES('kehnf799tt',99,'move',1,'on 3','','',1.79478836913568091395e+09);
INSERT INTO "history" VALUES('kehnf799tt',100,'move',0,'sire_shaman','','',1.7947883692029111385e+09);
INSERT INTO "history" VALUES('kehnf799tt',101,'move',0,'shamans 1','','',1.79478836923233747487e+09);
INSERT INTO "history" VALUES('kehnf799tt',102,'move',0,'reverse','','',1.79478836929913091661e+09);
INSERT INTO "history" VALUES('kehnf799tt',103,'move',0,'at 1 1','','',1.79478836933155345913e+09);
INSERT INTO "history" VALUES('kehnf799tt',104,'move',0,'create','','',1.7947883693484144211e+09);
INSERT INTO "history" VALUES('kehnf799tt',105,'move',0,'build tools','','',1.79478836937915539736e+09);
INSERT INTO "history" VALUES('kehnf799tt',106,'move',0,'sire_shaman','','',1.79478836940491151812e+09);
INSERT INTO "history" VALUES('kehnf799tt',107,'move',0,'pass','','',1.79478836942772555351e+09);
INSERT INTO "history" VALUES('kehnf799tt',108,'move',0,'attack','','',1.79478836944869279859e+09);
INSERT INTO "history" VALUES('kehnf799tt',109,'move',0,'at 1 1','','',1.79478836947309064865e+09);
INSERT INTO "history" VALUES('kehnf799tt',110,'move',0,'shamans 0','','',1.79478836948367571823e+09);
INSERT INTO "history" VALUES('kehnf799tt',111,'move',0,'followers 1','','',1.7947883695015897751e+09);
INSERT INTO "history" VALUES('kehnf799tt',112,'move',1,'preserve','','',1.79478836951091670994e+09);
INSERT INTO "history" VALUES('kehnf799tt',113,'move',1,'on 3','','',1.79478836952035617825e+09);
INSERT INTO "history" VALUES('kehnf799tt',114,'move',1,'shamans 2','','',1.79478836953224110606e+09);
INSERT INTO "history" VALUES('kehnf799tt',115,'move',0,'sire_shaman','','',1.79478836954819583895e+09);
INSERT INTO "history" VALUES('kehnf799tt',116,'move',0,'shamans 0','','',1.79478836955898118019e+09);
INSERT INTO "history" VALUES('kehnf799tt',117,'move',1,'sire_shaman','','',1794788369.56815);
INSERT INTO "history" VALUES('kehnf799tt',118,'move',0,'reverse','','',1.7947883695778057575e+09);
INSERT INTO "history" VALUES('kehnf799tt',119,'move',0,'at 1 3','','',1.79478836958757376673e+09);
INSERT INTO "history" VALUES('kehnf799tt',120,'move',0,'rounds 2','','',1.79478836959789061545e+09);
INSERT INTO "history" VALUES('kehnf799tt',121,'move',0,'spoil','','',1.79478836960749721526e+09);
INSERT INTO "history" VALUES('kehnf799tt',122,'move',0,'shamans 1','','',1.79478836962332057958e+09);
INSERT INTO "history" VALUES('kehnf799tt',123,'move',0,'attack','','',1.79478836964005827904e+09);
INSERT INTO "history" VALUES('kehnf799tt',124,'move',0,'at 1 3','','',1.79478836965108227725e+09);
INSERT INTO "history" VALUES('kehnf799tt',125,'move',0,'followers 3','','',1.79478836967002582545e+09);
INSERT INTO "history" VALUES('kehnf799tt',126,'move',0,'pass','','',1.79478836967998409274e+09);
INSERT INTO "history" VALUES('kehnf799tt',127,'move',1,'reverse','','',1.79478836970024728776e+09);
INSERT INTO "history" VALUES('kehnf799tt',128,'move',1,'at 1 2','','',1.79478836971678853027e+09);
INSERT INTO "history" VALUES('kehnf799tt',129,'move',1,'rounds 2','','',1.79478836973919391633e+09);
INSERT INTO "history" VALUES('kehnf799tt',130,'move',0,'preserve','','',1.79478836975528597838e+09);
INSERT INTO "history" VALUES('kehnf799tt',131,'move',0,'on 2','','',1.79478836978161501889e+09);
INSERT INTO "history" VALUES('kehnf799tt',132,'move',0,'shamans 1','','',1.79478836979626512528e+09);
INSERT INTO "history" VALUES('kehnf799tt',133,'move',1,'reverse','','',1.79478836981364345552e+09);
INSERT INTO "history" VALUES('kehnf799tt',134,'move',1,'at 1 2','','',1.79478836984010148053e+09);
INSERT INTO "history" VALUES('kehnf799tt',135,'move',0,'sire','','',1.79478836985071706772e+09);
INSERT INTO "history" VALUES('kehnf799tt',136,'move',0,'shamans 1','','',1.79478836987917494778e+09);
INSERT INTO "history" VALUES('kehnf799tt',137,'move',0,'preserve','','',1.79478836989435052871e+09);
INSERT INTO "history" VALUES('kehnf799tt',138,'move',0,'pass','','',1.79478836991614055631e+09);
CREATE TABLE passages (
	hash VARCHAR(64) NOT NULL, 
	person INTEGER NOT NULL, 
	until FLOAT NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(person) REFERENCES people (id)
);
CREATE TABLE people (
	id INTEGER NOT NULL, 
	name VARCHAR(40) NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "people" VALUES(1,'Anna',1.79478836451146221155e+09);
INSERT INTO "people" VALUES(2,'Ben 0',1.79478836460307025909e+09);
INSERT INTO "people" VALUES(3,'Anna',1.79478836484978318218e+09);
INSERT INTO "people" VALUES(4,'Ben 0',1.79478836485551667212e+09);
INSERT INTO "people" VALUES(5,'Anna',1.79478836544340157512e+09);
INSERT INTO "people" VALUES(6,'Ben 0',1.79478836546814346313e+09);
INSERT INTO "people" VALUES(7,'Anna',1.79478836603834915157e+09);
INSERT INTO "people" VALUES(8,'Ben 0',1.79478836606718516349e+09);
INSERT INTO "people" VALUES(9,'Ben 1',1.79478836607592535023e+09);
INSERT INTO "people" VALUES(10,'Anna',1.79478836638009953499e+09);
INSERT INTO "people" VALUES(11,'Ben 0',1.79478836639011335375e+09);
INSERT INTO "people" VALUES(12,'Anna',1.79478836658652162556e+09);
INSERT INTO "people" VALUES(13,'Ben 0',1.79478836662301898009e+09);
CREATE TABLE reviews (
	"table" VARCHAR(12) NOT NULL, 
	text TEXT NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY ("table"), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
CREATE TABLE seats (
	"table" VARCHAR(12) NOT NULL, 
	seat INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	person INTEGER, 
	name VARCHAR(40) NOT NULL, 
	bot VARCHAR(20) NOT NULL, 
	taken BOOLEAN NOT NULL, 
	standin VARCHAR(20) NOT NULL, 
	generation INTEGER NOT NULL, 
	token VARCHAR(64) NOT NULL, 
	PRIMARY KEY ("table", seat), 
	FOREIGN KEY(person) REFERENCES people (id), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
INSERT INTO "seats" VALUES('jpwhx33dx3',0,'person',1,'Anna','',1,'',0,'025251aa5f1e94e5fb3e357938b31de3f10859d9baeb6521d089af9ebe957c77');
INSERT INTO "seats" VALUES('jpwhx33dx3',1,'person',2,'Ben 0','',1,'',1,'f9667e15f100708c29ef1dbf79e8826e8e5a9b1c97a4e71f2767b713952b47cf');
INSERT INTO "seats" VALUES('wqwt2adtkk',0,'person',3,'Anna','',1,'',0,'8eb3e37e31113d3700a1aaedb128a3dfabf22d9eba42463dd724b432ae65bcd3');
INSERT INTO "seats" VALUES('wqwt2adtkk',1,'person',4,'Ben 0','',1,'',1,'e503caa66d14efd847a5c826c39b99cde184dc71cf694c9aee3369c790380ed3');
INSERT INTO "seats" VALUES('qa4ckkrjaq',0,'person',5,'Anna','',1,'',0,'410ab1171041ccc303aa0704ea1e3e8397b8c65900d92042fd1e80723f66bd1f');
INSERT INTO "seats" VALUES('qa4ckkrjaq',1,'person',6,'Ben 0','',1,'',1,'053f5fd4c4763d97b202067e5b46d77d0a492c07f8a8f1a1d8f1ce94f87a3270');
INSERT INTO "seats" VALUES('td9254k8ts',0,'person',7,'Anna','',1,'',0,'cd6e5e64219d1a7ba3a3cbdf7a0515e5f7f3f138125b5490ef82c8af5100150e');
INSERT INTO "seats" VALUES('td9254k8ts',1,'person',8,'Ben 0','',1,'',1,'398f7431765249521ae3c24702bd849262cf3f608b31ff996e024a3b1c239a31');
INSERT INTO "seats" VALUES('td9254k8ts',2,'person',9,'Ben 1','',1,'',1,'7a60ffc2cc2632cbde787d0e8198184d9230495ddd86999d78cec6ff34aa9e3b');
INSERT INTO "seats" VALUES('5vg3rfebaz',0,'person',10,'Anna','',1,'',0,'cbbe047f8a9f37208fe2fc094eb3bbc3966bbac96643650049a81c94f11e4691');
INSERT INTO "seats" VALUES('5vg3rfebaz',1,'person',11,'Ben 0','',1,'',1,'685680a8a2e48c59b1e3b2e4cff2ed0323270cf3e159a74d044742d5c2400c3a');
INSERT INTO "seats" VALUES('kehnf799tt',0,'person',12,'Anna','',1,'',0,'12f4e06cb15d2aa777cfc2e56bce9311ca7d516f4d9ac017f253fbc1f407ebbd');
INSERT INTO "seats" VALUES('kehnf799tt',1,'person',13,'Ben 0','',1,'',1,'c80720056fbf3bad264c67cf917fb3b97740255c377c13eab645bd0f036aaf3d');
CREATE TABLE tables (
	id VARCHAR(12) NOT NULL, 
	code VARCHAR(6) NOT NULL, 
	title VARCHAR(40) NOT NULL, 
	rules INTEGER NOT NULL, 
	components VARCHAR(16) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	host INTEGER NOT NULL, 
	variants TEXT NOT NULL, 
	seed INTEGER NOT NULL, 
	salt VARCHAR(32) NOT NULL, 
	seal VARCHAR(64) NOT NULL, 
	shown VARCHAR(8) NOT NULL, 
	undo BOOLEAN NOT NULL, 
	hints BOOLEAN NOT NULL, 
	shuffle BOOLEAN NOT NULL, 
	remind INTEGER NOT NULL, 
	takeover INTEGER NOT NULL, 
	status VARCHAR(8) NOT NULL, 
	version INTEGER NOT NULL, 
	moves INTEGER NOT NULL, 
	who INTEGER NOT NULL, 
	made FLOAT NOT NULL, 
	moved FLOAT NOT NULL, 
	result TEXT NOT NULL, 
	again VARCHAR(12) NOT NULL, 
	origin VARCHAR(24) NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(host) REFERENCES people (id), 
	UNIQUE (code)
);
INSERT INTO "tables" VALUES('jpwhx33dx3','KTDRYQ','evangelists',1,'3d335282c932874a','Lugdunum',1,'{}',1133914101234834519,'dc850665738c3b8a596ad6772986585a','2853937be99213f8097a72ce329a0bb9ca5ce8b37d5bf4085a2e6ffc9a5f1204','link',1,1,0,0,0,'playing',14,14,0,1.7947883645153574943e+09,1.79478836479318809506e+09,'[]','','');
INSERT INTO "tables" VALUES('wqwt2adtkk','22KPDU','portals',1,'a51d610cace21a96','Cyrene',3,'{}',1001054976111768609,'a305036792da3408ae296012d2110bbe','d055dcd7bffd50f1dcc9a77eeb2469bac8ffaf4d6da7bed9788729dedc4e1300','link',1,1,0,0,0,'playing',14,14,1,1.79478836485072398183e+09,1.79478836518759179118e+09,'[]','','');
INSERT INTO "tables" VALUES('qa4ckkrjaq','QKWCWL','missionnaires',1,'1c808513a42e0731','Damascus',5,'{}',578564607925354587,'fad070d5c1b18491a717cadd008d8a3a','af48f32831cb481acfaec64e2668bdc358cd5199a5e46b0e64685be89e2e8a64','link',1,1,0,0,0,'playing',14,14,0,1.79478836544719791415e+09,1.79478836583366441722e+09,'[]','','');
INSERT INTO "tables" VALUES('td9254k8ts','TS2979','ierusalem',1,'20215ccf303c9855','Carthago',7,'{}',768231738766730684,'bb381d56200ea54b097bf0441c302def','481a7732aea24814950d9ba2defe8a3e658c4777f7eb4fd04aab4a423f601112','link',1,1,0,0,0,'playing',20,20,2,1.794788366043211937e+09,1.79478836631187200546e+09,'[]','','');
INSERT INTO "tables" VALUES('5vg3rfebaz','J97GD5','testoftime',1,'a9564c8b16e1548a','Alexandria',10,'{}',939137943356618451,'23b3a22cd721a445ce3b6ca7277ab5f2','741af2c7a30b8a61be1e533357c6e84d9d625f342cb298f9dd2733a41774e9d8','link',1,1,0,0,0,'playing',14,14,0,1.79478836638320517543e+09,1.79478836657883548738e+09,'[]','','');
INSERT INTO "tables" VALUES('kehnf799tt','755P57','testoftime',1,'a9564c8b16e1548a','Athenae',12,'{"rounds": "10"}',1151954928738362505,'b15a4f971c141853076685f898fdd2cc','35a3646485086157f76f765cfc28f3b5654ff057579f95afc23fdd879b25f427','link',1,1,0,0,0,'over',138,138,-1,1.79478836659513187401e+09,1.79478836991614055631e+09,'[[1, 9], [2, 0]]','','');
CREATE TABLE votes (
	"table" VARCHAR(12) NOT NULL, 
	subject VARCHAR(20) NOT NULL, 
	seat INTEGER NOT NULL, 
	version INTEGER NOT NULL, 
	FOREIGN KEY("table") REFERENCES tables (id), 
	UNIQUE ("table", subject, seat)
);
CREATE TABLE watchers (
	"table" VARCHAR(12) NOT NULL, 
	person INTEGER NOT NULL, 
	PRIMARY KEY ("table", person), 
	FOREIGN KEY(person) REFERENCES people (id), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
CREATE INDEX ix_devices_person ON devices (person);
CREATE INDEX tables_listed ON tables (status, shown, made);
CREATE INDEX tables_running ON tables (status, moved);
CREATE INDEX chat_of_table ON chat ("table", id);
CREATE INDEX ix_seats_person ON seats (person);
CREATE INDEX seats_token ON seats (token);
COMMIT;
