using BankSilo.Api;
using SiloHosting;

return await SiloProgram.RunAsync(args, BankApi.Application);
