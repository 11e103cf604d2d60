using TpccSilo.Api;
using SiloHosting;

return await SiloProgram.RunAsync(args, TpccApi.Application);
