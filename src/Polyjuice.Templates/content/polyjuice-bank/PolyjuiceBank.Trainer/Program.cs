using Polyjuice.Training.Cluster;
using PolyjuiceBank.Grains;

// Recordings without states begin with customers who have money.
return await TrainerProgram.RunAsync(args, new TrainedApplication
{
    Assemblies = [typeof(IAccountGrain).Assembly],
    LoadAsync = (cluster, _) => Task.WhenAll(Enumerable.Range(0, 32).Select(number =>
        cluster.Grains.GetGrain<IAccountGrain>($"customer {number}").Deposit(100_000))),
});
