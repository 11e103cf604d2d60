using Orleans;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

namespace Polyjuice.Orleans.Tests.Grains;

/// <summary>A state whose class has gained a member since its first version.</summary>
[GenerateSerializer]
public sealed class Profile
{
    [Id(0)]
    public string Name { get; set; } = "";

    [Id(1)]
    public string Language { get; set; } = "none yet";
}

public interface IRowProfile : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Rename(string name);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<string> Describe();
}

[Reentrant]
public sealed class RowProfileGrain(
    [TransactionalState("profile", RowAccountGrain.Storage)] ITransactionalState<Profile> profile) : Grain, IRowProfile
{
    public Task Rename(string name) => profile.PerformUpdate(state => state.Name = name);

    public Task<string> Describe() => profile.PerformRead(state => $"{state.Name}, {state.Language}");
}
