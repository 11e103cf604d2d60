using Polyjuice.Embedded.Tests.RealTime;

namespace Polyjuice.Embedded.Tests.Simulated;

public interface IRestlessGrain : IGrainWithStringKey
{
    [Transaction(TransactionOption.Create)]
    Task AddAndLeave(string account);
}

/// <summary>Goes away as soon as nothing of a transaction runs in it, its commit or the pause before its next attempt notwithstanding.</summary>
public sealed class RestlessGrain : Grain, IRestlessGrain
{
    public Task AddAndLeave(string account)
    {
        this.DeactivateOnIdle();
        return GrainFactory.GetGrain<IAccount>(account).AddJoined(1);
    }
}
