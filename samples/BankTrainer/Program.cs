using BankAccount.Grains;
using Orleans;
using Polyjuice.Training.Cluster;

// Accounts as the sample opens them, for recordings that have no states.
string[] owners = ["Ada", "Bruno", "Chiara", "Dmitri", "Esi", "Farid", "Greta", "Hiro", "Ines", "Jonas"];

return await TrainerProgram.RunAsync(args, new TrainedApplication
{
    Assemblies = [typeof(IAccountGrain).Assembly],
    LoadAsync = (cluster, _) => Task.WhenAll(
        owners.Select(owner => cluster.Grains.GetGrain<IAccountGrain>(owner).Deposit(1_000))),
});
