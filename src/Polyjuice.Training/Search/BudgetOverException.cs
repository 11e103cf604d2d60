namespace Polyjuice.Training.Search;

/// <summary>The budget is used up, or somebody has ended the search: what has been found by then counts.</summary>
internal sealed class BudgetOverException : Exception;
