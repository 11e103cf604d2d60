using Polyjuice.Simulation.Specification.Events;
using Polyjuice.Simulation.Specification.Rules;
using Polyjuice.Simulation.Specification.State;

namespace Polyjuice.Simulation.Specification.Actions;

/// <summary>Services that can't prepare are asked last of all.</summary>
internal static class TakeFinalStep
{
    /// <summary>One is going to be asked.</summary>
    public static void Expect(SpecificationState state, in FinalStepExpected e) =>
        state.Transaction(e.Id).HasFinalStep = true;

    /// <summary>It is.</summary>
    public static void Take(SpecificationState state, in FinalStepTaken e)
    {
        var transaction = state.Transaction(e.Id);
        FinalSteps.Check(state, transaction, e);
        transaction.FinalStep = new FinalStepModel(e, null);
    }

    /// <summary>It answers.</summary>
    public static void Answer(SpecificationState state, in FinalStepAnswered e)
    {
        var transaction = state.Transaction(e.Id);
        if (transaction.FinalStep is { } step) transaction.FinalStep = step with { Agrees = e.Agrees };
    }
}
