BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE "chat" (
	id INTEGER NOT NULL, 
	"table" VARCHAR(12) NOT NULL, 
	seat INTEGER NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	text TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY("table") REFERENCES tables (id)
);
INSERT INTO "chat" VALUES(1,'2fxy4wl7v7',-2,'Ben 0','{0} sits down',1.79479920727155661582e+09);
INSERT INTO "chat" VALUES(2,'jbf5ad274k',-2,'Ben 0','{0} sits down',1.79479920803441929822e+09);
INSERT INTO "chat" VALUES(3,'jbf5ad274k',-2,'Ben 1','{0} sits down',1.79479920804320478436e+09);
INSERT INTO "chat" VALUES(4,'qqt5sqnrnp',-2,'Ben 0','{0} sits down',1.79479920877154159545e+09);
INSERT INTO "chat" VALUES(5,'ntqu2qwvz7',-2,'Ben 0','{0} sits down',1.79479920972228455542e+09);
INSERT INTO "chat" VALUES(6,'vb4rvgjjd5',-2,'Ben 0','{0} sits down',1.79479921160793924337e+09);
INSERT INTO "chat" VALUES(7,'yjssz9w8hf',-2,'Ben 0','{0} sits down',1.79479921283660125725e+09);
CREATE TABLE devices (
	hash VARCHAR(64) NOT NULL, 
	person INTEGER NOT NULL, 
	made FLOAT NOT NULL, 
	PRIMARY KEY (hash), 
	FOREIGN KEY(person) REFERENCES people (id)
);
INSERT INTO "devices" VALUES('f6f1e7715c105dac886a29d84b0164c4f720bed600bf58ea26b7236900cd89b5',1,1.79479920722886705395e+09);
INSERT INTO "devices" VALUES('16bc9208803da620e565c25252931d6e1125c2769b2e8c46af1186ec61e30ef9',2,1.79479920725300741198e+09);
INSERT INTO "devices" VALUES('ed024bba6dcf7bdf7a07a7818c820f56f7aefed23e0288ddc25b7b68dda7fc60',3,1.79479920802167987824e+09);
INSERT INTO "devices" VALUES('d02e81feddb38de7bdcfa904af0bf4c8974415cc6132671b4c67c1dc2fe22b35',4,1.79479920803241920464e+09);
INSERT INTO "devices" VALUES('287b4a717391c7a7f72b8956ca31c9db4b32a42f4f125e2a868ad903022b9dc4',5,1.79479920804104113576e+09);
INSERT INTO "devices" VALUES('2ca25c4ddc48bd8bb76cef115d8f3c6bbb16b3396d4d7696670f92fe928390c6',6,1.79479920875547075266e+09);
INSERT INTO "devices" VALUES('5391607fbf3a611a60767fe9e15713077fe41b9197b5fc987a08c4880a195ea9',7,1.79479920876963400843e+09);
INSERT INTO "devices" VALUES('76d1c3c8f4668bcf8bc4a9fc16b5799bc059484a3b65f859c4f3aac8fc44b944',8,1.79479920970587849618e+09);
INSERT INTO "devices" VALUES('0d785b0febc5ea6fc555fdf52f6384b04a9e2515b5068e6dc9408cbd8c081625',9,1.79479920972068119049e+09);
INSERT INTO "devices" VALUES('d870f7eaa58f459efb544608413b3e2e76bace3fbb2e48f370d61fe9024c81f4',10,1.79479921156727528566e+09);
INSERT INTO "devices" VALUES('dc8f4792d6a18702aef67aaf225a14768de934d994d372d47424d89caf296923',11,1.79479921160579109192e+09);
INSERT INTO "devices" VALUES('2ccc24e4dc31e2f6e02f21ddf180866bd088fe93c3910a95b69142d022af1851',12,1.79479921279368042946e+09);
INSERT INTO "devices" VALUES('271df7ff3a48d5d3a0ba13d232a05623929986693d8b72fad72c1d454b4ba7b5',13,1.79479921282941317552e+09);
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
INSERT INTO "history" VALUES('2fxy4wl7v7',1,'move',0,'start ephesus','','',1.79479920735809707638e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',2,'move',1,'start corinth','','',1.79479920739688944813e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',3,'move',0,'tradition','','',1.79479920742059707644e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',4,'move',0,'none','','',1.79479920743972778322e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',5,'move',0,'face 3','','',1.79479920745538878436e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',6,'move',0,'end','','',1.79479920747778415681e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',7,'move',1,'travel weak','','',1.79479920749797630307e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',8,'move',1,'to crete','','',1.79479920751315355303e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',9,'move',0,'travel weak','','',1.79479920758481550219e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',10,'move',0,'to crete','','',1.79479920761326384548e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',11,'move',1,'to cyrene','','',1.79479920765349650383e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',12,'move',1,'end','','',1.79479920768949365614e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',13,'move',0,'travel weak','','',1.79479920773443412784e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',14,'move',0,'to alexandria','','',1.79479920777778649328e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',15,'move',1,'decline','','',1.79479920780560660365e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',16,'move',0,'end','','',1.79479920784564089776e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',17,'move',1,'end','','',1.79479920786945962903e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',18,'move',0,'interview','','',1.79479920788119888305e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',19,'move',0,'strong','','',1.79479920789260506634e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',20,'move',0,'end','','',1.79479920792140102388e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',21,'move',1,'travel strong','','',1.79479920795220088958e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',22,'move',1,'to ephesus','','',1.79479920796882724768e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',23,'move',0,'to patara','','',1.79479920798479843134e+09);
INSERT INTO "history" VALUES('2fxy4wl7v7',24,'move',1,'end','','',1.79479920800118136403e+09);
INSERT INTO "history" VALUES('jbf5ad274k',1,'move',0,'post desert','','',1.79479920807401847841e+09);
INSERT INTO "history" VALUES('jbf5ad274k',2,'move',1,'post lake','','',1.79479920809542083746e+09);
INSERT INTO "history" VALUES('jbf5ad274k',3,'move',2,'post lake','','',1.79479920812207794193e+09);
INSERT INTO "history" VALUES('jbf5ad274k',4,'move',0,'play y02','','',1.79479920814630055422e+09);
INSERT INTO "history" VALUES('jbf5ad274k',5,'move',0,'column 2','','',1.79479920817673945431e+09);
INSERT INTO "history" VALUES('jbf5ad274k',6,'move',0,'mahane','','',1.79479920820756697649e+09);
INSERT INTO "history" VALUES('jbf5ad274k',7,'move',0,'take ma12','','',1.79479920822073602676e+09);
INSERT INTO "history" VALUES('jbf5ad274k',8,'move',0,'skip','','',1.79479920823482060436e+09);
INSERT INTO "history" VALUES('jbf5ad274k',9,'move',0,'skip','','',1794799208.25164);
INSERT INTO "history" VALUES('jbf5ad274k',10,'move',1,'play g06','','',1.79479920827571892737e+09);
INSERT INTO "history" VALUES('jbf5ad274k',11,'move',1,'column 2','','',1.79479920831136918061e+09);
INSERT INTO "history" VALUES('jbf5ad274k',12,'move',1,'favor f8','','',1.79479920833685827261e+09);
INSERT INTO "history" VALUES('jbf5ad274k',13,'move',1,'to 0','','',1.79479920836815810209e+09);
INSERT INTO "history" VALUES('jbf5ad274k',14,'move',0,'call desert','','',1.79479920839737701419e+09);
INSERT INTO "history" VALUES('jbf5ad274k',15,'move',1,'take ma17','','',1.79479920842404031748e+09);
INSERT INTO "history" VALUES('jbf5ad274k',16,'move',1,'discard ma17','','',1.79479920846039247509e+09);
INSERT INTO "history" VALUES('jbf5ad274k',17,'move',1,'waste fish','','',1.79479920850001525879e+09);
INSERT INTO "history" VALUES('jbf5ad274k',18,'move',2,'play b07','','',1.794799208537586689e+09);
INSERT INTO "history" VALUES('jbf5ad274k',19,'move',2,'column 2','','',1.79479920857173681257e+09);
INSERT INTO "history" VALUES('jbf5ad274k',20,'move',2,'favor f2','','',1.7947992086019723415e+09);
INSERT INTO "history" VALUES('jbf5ad274k',21,'move',2,'to 0','','',1.79479920863588356975e+09);
INSERT INTO "history" VALUES('jbf5ad274k',22,'move',2,'draw','','',1.79479920866068673132e+09);
INSERT INTO "history" VALUES('jbf5ad274k',23,'move',2,'discard ma01','','',1.79479920869108557695e+09);
INSERT INTO "history" VALUES('jbf5ad274k',24,'move',2,'waste bread','','',1.79479920871571207042e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',1,'move',1,'go lrh','','',1.79479920881207680701e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',2,'move',1,'go bor','','',1.79479920883809041971e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',3,'move',0,'go aux','','',1.79479920886698746679e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',4,'move',0,'stop','','',1.79479920889204597471e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',5,'move',1,'pass','','',1.79479920891854333878e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',6,'move',0,'pass','','',1.79479920894846892362e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',7,'move',1,'go lrh','','',1.79479920898084568982e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',8,'move',1,'go bet','','',1.79479920908925294877e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',9,'move',0,'go dij','','',1.7947992091217384339e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',10,'move',0,'stop','','',1.79479920914917230601e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',11,'move',0,'show cor','','',1.79479920917968511582e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',12,'move',1,'go lrh','','',1.79479920920439362528e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',13,'move',1,'go bor','','',1.79479920924581503867e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',14,'move',0,'pass','','',1.79479920928291225437e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',15,'move',1,'go bay','','',1.79479920931558299063e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',16,'move',1,'stop','','',1.79479920934510087972e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',17,'move',0,'go aux','','',1.7947992093756661415e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',18,'move',0,'go bet','','',1.7947992094071991444e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',19,'move',0,'go lrh','','',1.79479920944101119044e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',20,'move',0,'go bor','','',1.79479920950192928319e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',21,'move',1,'pass','','',1.79479920954543542858e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',22,'move',0,'leap yellow bur','','',1.79479920959193301206e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',23,'move',1,'pass','','',1.79479920963219428064e+09);
INSERT INTO "history" VALUES('qqt5sqnrnp',24,'move',0,'go mad','','',1.79479920966937875749e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',1,'move',0,'stand jordan_river','','',1.79479920977339339263e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',2,'move',1,'stand assyria','','',1.79479920982112550733e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',3,'move',0,'move peniel','','',1.79479920986538290976e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',4,'move',0,'take o41','','',1.7947992099188394546e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',5,'move',0,'draw old','','',1.79479920998953509326e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',6,'move',0,'end','','',1.79479921007743763918e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',7,'move',1,'move mount_ararat','','',1.79479921012751579287e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',8,'move',1,'move assyria','','',1.79479921017205858234e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',9,'move',1,'move babylon','','',1.79479921021202421188e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',10,'move',1,'move ur','','',1.79479921024759721758e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',11,'move',1,'burn g12','','',1.7947992102852580547e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',12,'move',1,'end','','',1.79479921033573412898e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',13,'move',0,'take o02','','',1.79479921068926811219e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',14,'move',0,'discard','','',1.79479921077941179273e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',15,'move',0,'drop g07','','',1.79479921084587025646e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',16,'move',0,'move shechem','','',1.79479921094630861288e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',17,'move',0,'take o58','','',1.79479921102947854996e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',18,'move',0,'end','','',1.79479921109732723236e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',19,'move',1,'move babylon','','',1.79479921115229678154e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',20,'move',1,'end','','',1.79479921121275496484e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',21,'move',0,'end','','',1.79479921128124904634e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',22,'move',1,'draw new','','',1.79479921132719159124e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',23,'move',1,'move susa','','',1.79479921138731646538e+09);
INSERT INTO "history" VALUES('ntqu2qwvz7',24,'move',1,'take o53','','',1.79479921148806548115e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',1,'move',0,'sire','','',1.79479921168520927432e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',2,'move',1,'sire','','',1.79479921176782703396e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',3,'move',0,'sire_shaman','','',1.7947992119253757e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',4,'move',1,'pass','','',1.79479921195592045783e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',5,'move',0,'create','','',1.79479921197598481178e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',6,'move',0,'build tools','','',1.79479921201546597478e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',7,'move',1,'pass','','',1.79479921204640460014e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',8,'move',0,'sire_shaman','','',1.79479921207526874537e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',9,'move',1,'sire','','',1.79479921211578893665e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',10,'move',0,'create','','',1.79479921218891811372e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',11,'move',0,'build art','','',1.79479921223954439163e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',12,'move',1,'pass','','',1.79479921228135013582e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',13,'move',0,'pass','','',1.79479921231055974959e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',14,'move',1,'sire','','',1.79479921235301113132e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',15,'move',0,'preserve','','',1.7947992123913681507e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',16,'move',0,'on 1','','',1.79479921244076132775e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',17,'move',0,'shamans 1','','',1.79479921247169828409e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',18,'move',1,'create','','',1.79479921250374960901e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',19,'move',1,'build tools','','',1.79479921255381488797e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',20,'move',0,'preserve','','',1.79479921260525655747e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',21,'move',0,'shamans 0','','',1.79479921263749623303e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',22,'move',1,'sire_shaman','','',1.79479921268135547644e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',23,'move',0,'create','','',1.79479921271063780786e+09);
INSERT INTO "history" VALUES('vb4rvgjjd5',24,'move',0,'build burial','','',1.79479921276295804975e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',1,'move',0,'sire_shaman','','',1.79479921288685274121e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',2,'move',1,'sire_shaman','','',1.79479921292522931093e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',3,'move',0,'create','','',1.7947992129639670849e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',4,'move',0,'build temple','','',1.79479921300800418851e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',5,'move',1,'sire','','',1.79479921305106568333e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',6,'move',0,'pass','','',1.79479921310820174223e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',7,'move',1,'create','','',1.79479921316072678566e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',8,'move',1,'build art','','',1.79479921319114398958e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',9,'move',0,'sire','','',1.79479921323184418678e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',10,'move',1,'sire_shaman','','',1.79479921326516485215e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',11,'move',1,'sire','','',1.79479921329987668994e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',12,'move',1,'create','','',1.7947992133319783211e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',13,'move',1,'sire_shaman','','',1.79479921342062354082e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',14,'move',1,'shamans 2','','',1.7947992135460846424e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',15,'move',0,'create','','',1.79479921359247016911e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',16,'move',0,'build art','','',1.79479921363688492775e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',17,'move',0,'shamans 0','','',1.7947992136653470993e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',18,'move',1,'pass','','',1.79479921371295690537e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',19,'move',0,'preserve','','',1.79479921374129796022e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',20,'move',1,'sire_shaman','','',1.79479921380044364926e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',21,'move',1,'sire','','',1.79479921384157896043e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',22,'move',1,'preserve','','',1794799213.87928);
INSERT INTO "history" VALUES('yjssz9w8hf',23,'move',1,'on 2','','',1.79479921390400934217e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',24,'move',1,'preserve','','',1.79479921393180799488e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',25,'move',1,'create','','',1.794799213967959404e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',26,'move',1,'build tools','','',1.79479921399988627431e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',27,'move',1,'pass','','',1.79479921403148889543e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',28,'move',0,'pass','','',1794799214.06356);
INSERT INTO "history" VALUES('yjssz9w8hf',29,'move',1,'sire','','',1.79479921410132217405e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',30,'move',1,'shamans 0','','',1.7947992141587538719e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',31,'move',0,'create','','',1.79479921419993352889e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',32,'move',0,'build tools','','',1.79479921423292183881e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',33,'move',0,'shamans 0','','',1.79479921427752208708e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',34,'move',1,'sire','','',1.7947992143066482544e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',35,'move',1,'shamans 0','','',1.79479921436081290243e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',36,'move',0,'pass','','',1.79479921439748215674e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',37,'move',1,'sire','','',1.79479921443578791613e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',38,'move',1,'shamans 1','','',1.79479921447333550452e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',39,'move',0,'sire_shaman','','',1.79479921451175975801e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',40,'move',0,'shamans 0','','',1.79479921454067111018e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',41,'move',1,'pass','','',1.79479921456451153752e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',42,'move',0,'reverse','','',1.79479921461205196376e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',43,'move',0,'at 1 2','','',1.79479921466092586521e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',44,'move',0,'keep','','',1.79479921469751906395e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',45,'move',1,'sire_shaman','','',1.79479921474215412145e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',46,'move',1,'shamans 0','','',1.79479921478977036473e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',47,'move',0,'convert','','',1.79479921484167313575e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',48,'move',1,'attack','','',1794799214.85934);
INSERT INTO "history" VALUES('yjssz9w8hf',49,'move',1,'at 0 1','','',1.79479921489890074728e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',50,'move',1,'shamans 1','','',1.794799214931163311e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',51,'move',1,'followers 3','','',1.79479921497099161151e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',52,'move',0,'sire','','',1.79479921510807061187e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',53,'move',1,'sire_shaman','','',1.79479921518943262102e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',54,'move',0,'attack','','',1.79479921524973201748e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',55,'move',0,'at 1 1','','',1.79479921529280805588e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',56,'move',0,'followers 2','','',1.79479921534976148604e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',57,'move',1,'sire_shaman','','',1.79479921539437437061e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',58,'move',1,'shamans 2','','',1.79479921543209552763e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',59,'move',0,'attack','','',1.79479921550000715252e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',60,'move',0,'at 1 1','','',1.79479921557149744038e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',61,'move',0,'shamans 1','','',1.79479921562783789634e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',62,'move',0,'followers 1','','',1.79479921565713429454e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',63,'move',1,'sire_shaman','','',1.79479921569615912435e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',64,'move',1,'shamans 1','','',1.79479921575166487691e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',65,'move',0,'sire_shaman','','',1.79479921582036185262e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',66,'move',1,'defend','','',1.79479921587236261365e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',67,'move',1,'shamans 1','','',1.79479921591686034207e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',68,'move',1,'followers 0','','',1.79479921593672490116e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',69,'move',0,'convert','','',1.79479921596740412716e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',70,'move',1,'defend','','',1.79479921598688435557e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',71,'move',0,'sire','','',1.7947992160020332336e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',72,'move',1,'preserve','','',1.79479921601843118669e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',73,'move',1,'on 2','','',1.79479921604018974302e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',74,'move',0,'preserve','','',1.7947992160641319752e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',75,'move',0,'on 3','','',1.79479921608876204488e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',76,'move',1,'pass','','',1.79479921611235904697e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',77,'move',0,'preserve','','',1.794799216137460947e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',78,'move',1,'pass','','',1.79479921616515851025e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',79,'move',0,'sire_shaman','','',1.7947992161979839802e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',80,'move',0,'shamans 1','','',1.79479921622634387015e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',81,'move',1,'reverse','','',1.79479921625194597245e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',82,'move',1,'at 0 1','','',1.79479921627415609352e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',83,'move',1,'rounds 2','','',1.79479921629017114643e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',84,'move',0,'preserve','','',1.79479921630641269685e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',85,'move',0,'on 3','','',1.79479921632857871054e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',86,'move',0,'shamans 0','','',1.79479921635272526739e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',87,'move',1,'reverse','','',1794799216.37971);
INSERT INTO "history" VALUES('yjssz9w8hf',88,'move',1,'at 0 2','','',1.79479921640785169598e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',89,'move',1,'keep','','',1.79479921642506694791e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',90,'move',0,'pass','','',1794799216.44635);
INSERT INTO "history" VALUES('yjssz9w8hf',91,'move',1,'sire','','',1.79479921647688484193e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',92,'move',0,'pass','','',1.79479921650617861746e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',93,'move',1,'attack','','',1.79479921659958553312e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',94,'move',1,'at 0 2','','',1.79479921664632177356e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',95,'move',1,'followers 5','','',1.79479921666797184948e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',96,'move',0,'defend','','',1.79479921668737077717e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',97,'move',0,'shamans 1','','',1.79479921671266150475e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',98,'move',0,'followers 3','','',1.79479921674051117897e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',99,'move',1,'preserve','','',1.79479921676196384431e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',100,'move',1,'on 3','','',1.79479921678104519843e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',101,'move',0,'pass','','',1.79479921680384039875e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',102,'move',1,'sire_shaman','','',1.79479921682897067074e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',103,'move',0,'pass','','',1.79479921684441518781e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',104,'move',1,'sire_shaman','','',1.79479921686648869515e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',105,'move',0,'preserve','','',1.79479921689015102384e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',106,'move',0,'on 2','','',1.79479921691148519517e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',107,'move',0,'shamans 0','','',1.79479921693569445606e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',108,'move',1,'preserve','','',1.79479921695749616624e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',109,'move',1,'on 2','','',1.79479921697733092308e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',110,'move',0,'reverse','','',1.79479921699929356572e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',111,'move',0,'at 1 2','','',1.79479921702095460891e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',112,'move',0,'rounds 2','','',1794799217.04617);
INSERT INTO "history" VALUES('yjssz9w8hf',113,'move',0,'keep','','',1.79479921706878709788e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',114,'move',0,'sire_shaman','','',1.7947992170867140293e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',115,'move',0,'sire_shaman','','',1.79479921710930061338e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',116,'move',0,'pass','','',1.79479921713386440275e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',117,'move',0,'attack','','',1.79479921715783572195e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',118,'move',0,'at 1 2','','',1.79479921718161582948e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',119,'move',0,'shamans 1','','',1.79479921720638394356e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',120,'move',0,'followers 2','','',1.79479921723016309738e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',121,'move',1,'sire_shaman','','',1.79479921725010371207e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',122,'move',1,'shamans 1','','',1.7947992172721869945e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',123,'move',0,'preserve','','',1.79479921729143381122e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',124,'move',0,'on 2','','',1.79479921731720471378e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',125,'move',1,'defend','','',1.79479921733517885215e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',126,'move',1,'reverse','','',1.79479921735060501094e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',127,'move',1,'at 0 2','','',1.79479921737766861915e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',128,'move',1,'rounds 1','','',1.79479921741396069526e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',129,'move',0,'preserve','','',1.79479921745050120351e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',130,'move',0,'on 3','','',1.7947992174816794395e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',131,'move',0,'shamans 1','','',1.79479921751398062705e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',132,'move',1,'attack','','',1.79479921754537701601e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',133,'move',1,'at 0 1','','',1.79479921756173062328e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',134,'move',0,'pass','','',1.79479921759261822696e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',135,'move',0,'reverse','','',1794799217.60796);
INSERT INTO "history" VALUES('yjssz9w8hf',136,'move',0,'at 0 2','','',1.79479921763469934463e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',137,'move',0,'rounds 2','','',1.79479921766403985022e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',138,'move',0,'mend','','',1.79479921768406200412e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',139,'move',1,'pass','','',1.79479921770191359516e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',140,'move',1,'reverse','','',1.79479921772878861429e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',141,'move',1,'at 0 3','','',1.79479921775161099439e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',142,'move',0,'preserve','','',1.79479921777505016327e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',143,'move',0,'on 2','','',1.79479921780269551282e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',144,'move',0,'sire_shaman','','',1.79479921782759928704e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',145,'move',0,'pass','','',1.79479921785741043088e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',146,'move',0,'reverse','','',1.79479921789207530024e+09);
INSERT INTO "history" VALUES('yjssz9w8hf',147,'move',0,'at 0 1','','',1.79479921793336915977e+09);
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
INSERT INTO "people" VALUES(1,'Anna',1.79479920722886705395e+09);
INSERT INTO "people" VALUES(2,'Ben 0',1.79479920725300741198e+09);
INSERT INTO "people" VALUES(3,'Anna',1.79479920802167987824e+09);
INSERT INTO "people" VALUES(4,'Ben 0',1.79479920803241920464e+09);
INSERT INTO "people" VALUES(5,'Ben 1',1.79479920804104113576e+09);
INSERT INTO "people" VALUES(6,'Anna',1.79479920875547075266e+09);
INSERT INTO "people" VALUES(7,'Ben 0',1.79479920876963400843e+09);
INSERT INTO "people" VALUES(8,'Anna',1.79479920970587849618e+09);
INSERT INTO "people" VALUES(9,'Ben 0',1.79479920972068119049e+09);
INSERT INTO "people" VALUES(10,'Anna',1.79479921156727528566e+09);
INSERT INTO "people" VALUES(11,'Ben 0',1.79479921160579109192e+09);
INSERT INTO "people" VALUES(12,'Anna',1.79479921279368042946e+09);
INSERT INTO "people" VALUES(13,'Ben 0',1.79479921282941317552e+09);
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
INSERT INTO "seats" VALUES('2fxy4wl7v7',0,'person',1,'Anna','',1,'',0,'88e0ca6c27ee5de1a0c4ed5162b64468c74cecc448c9027ceda781a12d01069c');
INSERT INTO "seats" VALUES('2fxy4wl7v7',1,'person',2,'Ben 0','',1,'',1,'a8591b3f7e232500d4d1c9b8b1edbfc1d87a2059cded0e242e28b8ca8217a519');
INSERT INTO "seats" VALUES('jbf5ad274k',0,'person',3,'Anna','',1,'',0,'361a2e78c2bc773bf19c812fd010c0767de04ac572f21efbb0c40de4d220f91b');
INSERT INTO "seats" VALUES('jbf5ad274k',1,'person',4,'Ben 0','',1,'',1,'7673b2ce0d2cdbfc53f88ad75f8043c9e1d979d429f8e43acf27484ab1c0193b');
INSERT INTO "seats" VALUES('jbf5ad274k',2,'person',5,'Ben 1','',1,'',1,'6805932c518c116f5e003023afa234f6455c27013ce6002a7cf5be26fb4359b7');
INSERT INTO "seats" VALUES('qqt5sqnrnp',0,'person',6,'Anna','',1,'',0,'0f235799a7114df8c89ca2b83b5cb5e429ac9646c5ab5c728ea5276ad9e4a6d5');
INSERT INTO "seats" VALUES('qqt5sqnrnp',1,'person',7,'Ben 0','',1,'',1,'9c9c797217c0736ddc167b476b280b7802fcc747d44dc3340b1bd63fb27e8932');
INSERT INTO "seats" VALUES('ntqu2qwvz7',0,'person',8,'Anna','',1,'',0,'6eac9b565009c24e8cefba4fc40dc905e7ff63e9e2a0d449a8da9d38da242081');
INSERT INTO "seats" VALUES('ntqu2qwvz7',1,'person',9,'Ben 0','',1,'',1,'cc56730c478fb242858dc9d114587a458e505d7f09ad45a56791e0b5cf8e5066');
INSERT INTO "seats" VALUES('vb4rvgjjd5',0,'person',10,'Anna','',1,'',0,'dda27a6ebadf299780170455ccfb39856919e4a311b1dcbdc12396d2d83ae992');
INSERT INTO "seats" VALUES('vb4rvgjjd5',1,'person',11,'Ben 0','',1,'',1,'988b092b811969b18c37270962904bcec0ef7510aec4caf8a277ba3fb853e0b2');
INSERT INTO "seats" VALUES('yjssz9w8hf',0,'person',12,'Anna','',1,'',0,'0b5c2b64cc7ba50a76bff00a60d7eb415f6ff9470b6d47e2558b61a1e5d7310f');
INSERT INTO "seats" VALUES('yjssz9w8hf',1,'person',13,'Ben 0','',1,'',1,'855eba2e9d0be9581cc508422e0aa680d3759574ea5a871e9dc1f63652246896');
CREATE TABLE tables (
	id VARCHAR(12) NOT NULL, 
	code VARCHAR(6) NOT NULL, 
	title VARCHAR(40) NOT NULL, 
	rules INTEGER NOT NULL, 
	components VARCHAR(16) NOT NULL, 
	name VARCHAR(60) NOT NULL, 
	host INTEGER NOT NULL, 
	variants TEXT NOT NULL, 
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
	origin VARCHAR(24) NOT NULL, seed VARCHAR(32) DEFAULT '' NOT NULL, format INTEGER DEFAULT '1' NOT NULL, practice BOOLEAN DEFAULT 0 NOT NULL, taken_back BOOLEAN DEFAULT 0 NOT NULL, watch_generation INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(host) REFERENCES people (id), 
	UNIQUE (code)
);
INSERT INTO "tables" VALUES('2fxy4wl7v7','8AKPB6','evangelists',1,'3d335282c932874a','Massilia',1,'{}','f2ecd24aefe69895a64354ae59a7ede4','63b1ab96502c1bb580ded3c0262d525df0f751ae73a0b21ae05c3b28b9e3394b','link',1,1,0,0,0,'playing',24,24,0,1.79479920723908567426e+09,1.79479920800118136403e+09,'[]','','','00642f7d1c02ae77ea4fd0f82e3e1ef4',2,0,0,0);
INSERT INTO "tables" VALUES('jbf5ad274k','TFUSDJ','ierusalem',1,'20215ccf303c9855','Damascus',3,'{}','8535a6e26d72d46e05e2e3cfed514145','de19cb0c84da8ec255c48a6232c43df48dea60468aef1302b6fc2793bf77ec34','link',1,1,0,0,0,'playing',24,24,0,1.79479920802497601504e+09,1.79479920871571207042e+09,'[]','','','86a893e0b45b4aabc34c609de13806c9',2,0,0,0);
INSERT INTO "tables" VALUES('qqt5sqnrnp','4L3A3K','missionnaires',1,'1c808513a42e0731','Lugdunum',6,'{}','2ce846b3914bf41e7c24ad99ee07db09','83b381cf9dae8a60c79cd1e591d6f0bb8029cb2b2645120c57d5d9633262c480','link',1,1,0,0,0,'playing',24,24,0,1.79479920875899863247e+09,1.79479920966937875749e+09,'[]','','','f99ac963129391452363f46b6b6c43d8',2,0,0,0);
INSERT INTO "tables" VALUES('ntqu2qwvz7','XM8PKL','portals',1,'a51d610cace21a96','Ephesus',8,'{}','546f660b66c5fabad13b517140f15abc','c6e398a901570fb831d7c6fb2cc6416d0b5dc75c078537b9776c9cd04486df81','link',1,1,0,0,0,'playing',24,24,1,1.79479920970705676078e+09,1.79479921148806548115e+09,'[]','','','2a5cd37947fee47b88178898452f52eb',2,0,0,0);
INSERT INTO "tables" VALUES('vb4rvgjjd5','E5D699','testoftime',1,'a9564c8b16e1548a','Corinthus',10,'{}','3a1350d2a29aa5cc066fcac324815d51','ec5e904b5e6f97ab7fe27305a4e83fca5a6900f7f11fe573321b1074b1fb4ed1','link',1,1,0,0,0,'playing',24,24,0,1.79479921157514548304e+09,1.79479921276295804975e+09,'[]','','','f02a7978275bdc9f01c4ace917d69108',2,0,0,0);
INSERT INTO "tables" VALUES('yjssz9w8hf','HLJUKD','testoftime',1,'a9564c8b16e1548a','Cyrene',12,'{}','5d95ebc3b43ce7e4e1f0fbd1446cb2cd','55b44a4cce09233351769a0b532bd65acb80c0142b87b3d3d35fd1a4367e9eb4','link',1,1,0,0,0,'over',147,147,-1,1.79479921281102705e+09,1.79479921793336915977e+09,'[[1, 0], [1, 0]]','','','43f5f31cab9d4838d54119d72b8df97a',2,0,0,0);
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
CREATE INDEX ix_seats_person ON seats (person);
CREATE INDEX seats_token ON seats (token);
CREATE INDEX chat_of_table ON chat ("table", id);
COMMIT;
