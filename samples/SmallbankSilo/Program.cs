using SmallbankSilo.Api;
using SiloHosting;

return await SiloProgram.RunAsync(args, SmallbankApi.Application);
